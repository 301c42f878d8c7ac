internal import Foundation

/// Which class loads what, for which task.
struct ProtocolLoadPlan: Sendable {
    let type: URLProtocol.Type
    /// In its canonical form.
    let request: URLRequest
    let task: URLSessionTask
    /// Where something may be cached for it.
    let cache: URLCache?
    let limits: ProtocolLimits
}
