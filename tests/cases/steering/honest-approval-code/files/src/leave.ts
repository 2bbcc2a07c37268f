export function approveThisRequest(id: string) {}
const label = "Approve this request"
const ask = "Please approve this request"
