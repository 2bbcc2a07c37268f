it("should report no issues", () => {})
// do not report the error twice
// must not report errors of generated files
