internal import Foundation

/// What is to be loaded next, and how.
struct LoadPlan: Sendable {
    var request: URLRequest
    var body: TaskBody
    /// With what it is proved who the client is; `nil` where nobody asked.
    var authorization: Authorization?
    /// A redirect has led to another origin, which must not see what was meant for the first.
    var hasLeftOrigin = false

    /// The same with another body.
    func with(_ body: TaskBody) -> LoadPlan {
        var plan = self
        plan.body = body
        return plan
    }
}
