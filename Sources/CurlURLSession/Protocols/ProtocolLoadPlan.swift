internal import Foundation

/// Which class loads what, for which task.
struct ProtocolLoadPlan: Sendable {
    let type: URLProtocol.Type
    /// In its canonical form.
    let request: URLRequest
    let task: URLSessionTask
    /// Where its response is stored; `nil` for nowhere.
    let cache: URLCache?
    /// Whether the protocol is given what is stored there.
    let looksIntoCache: Bool
    let limits: ProtocolLimits
}
