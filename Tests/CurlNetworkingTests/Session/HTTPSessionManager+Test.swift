internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import TestSupport

extension HTTPSessionManager {
    /// A manager of a server for a test, which keeps nothing for others and is patient on a busy machine.
    /// Bodies are handed on as they come, whatever the status but for those that are failures.
    static func forTest(_ base: String? = nil) -> HTTPSessionManager {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        let manager = HTTPSessionManager(
            baseURL: base.flatMap { URL(string: $0) },
            sessionConfiguration: configuration
        )
        manager.completionQueue = DispatchQueue(label: "completions")
        manager.responseSerializer = ScriptedSerializer { response, data in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            return (data, status < 400 ? nil : Refusal(status: status))
        }
        return manager
    }
}

/// What the tests' serializer says of a bad status.
struct Refusal: Error, Equatable {
    let status: Int
}

/// What the two handlers of a verb were called with.
struct VerbOutcome: Sendable {
    let task: URLSessionDataTask?
    let object: (any Sendable)?
    let error: (any Error)?

    var text: String? { (object as? Data).map { String(decoding: $0, as: UTF8.self) } }
    var code: Int? { (error as NSError?)?.code }
}

extension EventRecorder<VerbOutcome> {
    var success: HTTPSessionManager.SuccessHandler {
        { self.record(VerbOutcome(task: $0, object: $1, error: nil)) }
    }

    var failure: HTTPSessionManager.FailureHandler {
        { self.record(VerbOutcome(task: $0, object: nil, error: $1)) }
    }

    /// Waits for the first outcome.
    func only() async throws -> VerbOutcome {
        try await first { _ in true }
    }
}
