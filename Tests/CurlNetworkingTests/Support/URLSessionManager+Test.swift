internal import Dispatch
internal import Foundation
internal import TestSupport

@testable internal import CurlNetworking

extension URLSessionManager {
    /// A manager with an ephemeral configuration and a long timeout for busy machines. Completion
    /// handlers run on their own queue, because other tests use the main queue, too. Bodies are
    /// returned unparsed.
    static func test(
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSessionManager {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        configure(configuration)
        let manager = URLSessionManager(sessionConfiguration: configuration)
        manager.completionQueue = DispatchQueue(label: "completions")
        manager.responseSerializer = ScriptedSerializer { _, data in (data, nil) }
        return manager
    }

    /// Runs a data task and returns its completion.
    func load(
        _ request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil
    ) async throws -> Completion {
        let completions = EventRecorder<Completion>()
        dataTask(
            with: request,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: completions.handler
        ).resume()
        return try await completions.only()
    }

    /// Waits until all handlers that are already on the operation queue have been called.
    func settle() async {
        await withCheckedContinuation { continuation in
            operationQueue.addOperation { continuation.resume() }
        }
    }
}

/// The arguments of a completion handler.
struct Completion: Sendable {
    let response: URLResponse?
    let object: (any Sendable)?
    let error: (any Error)?

    var status: Int? { (response as? HTTPURLResponse)?.statusCode }
    var text: String? { (object as? Data).map { String(decoding: $0, as: UTF8.self) } }
    var file: URL? { object as? URL }
    var code: Int? { (error as NSError?)?.code }
}

extension EventRecorder<Completion> {
    var handler: URLSessionManager.CompletionHandler {
        { self.record(Completion(response: $0, object: $1, error: $2)) }
    }

    var downloadHandler: URLSessionManager.DownloadCompletionHandler {
        { self.record(Completion(response: $0, object: $1, error: $2)) }
    }

    /// Waits for the first completion.
    func only() async throws -> Completion {
        try await first { _ in true }
    }
}

extension LoopbackServer {
    /// A request for a path on this server.
    func request(_ path: String = "/", method: String = "GET", body: Data? = nil) throws
        -> URLRequest
    {
        guard let url = URL(string: url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        return request
    }
}

/// A serializer that calls a test's closure.
struct ScriptedSerializer: URLResponseSerialization {
    let make: @Sendable (URLResponse?, Data?) -> ((any Sendable)?, (any Error)?)

    init(_ make: @escaping @Sendable (URLResponse?, Data?) -> ((any Sendable)?, (any Error)?)) {
        self.make = make
    }

    func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        let (object, failure) = make(response, data)
        if let failure { error = failure }
        return object
    }
}
