"""A CheckReport as text, one module a format; every module is `render(report, ...) -> str`."""

FORMATS = ("text", "json", "github", "sarif", "junit", "markdown")
