internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import TestSupport

extension HTTPSessionManager {
    /// A manager for a test server, with an ephemeral configuration and a long timeout for busy
    /// machines. Bodies are returned unparsed; statuses of 400 and above are failures.
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

/// The error of the tests' serializers for a bad status.
struct Refusal: Error, Equatable {
    let status: Int
}

/// The arguments of a success or failure handler.
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
