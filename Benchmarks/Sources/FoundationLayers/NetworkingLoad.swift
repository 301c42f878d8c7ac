internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import LoadKit

/// One manager without cookies and cache; in each place in flight one request after the other, whose body
/// is collected.
struct NetworkingLoad: Sendable {
    private let options: LoadOptions
    private let usesHandlers: Bool
    private let manager: HTTPSessionManager

    init(_ options: LoadOptions, usesHandlers: Bool) {
        guard options.mode == .get else {
            FileHandle.standardError.write(Data("this layer takes --mode get alone\n".utf8))
            exit(2)
        }
        self.options = options
        self.usesHandlers = usesHandlers
        let configuration = URLSessionConfiguration.forLoad(options)
        configuration.httpMaximumConnectionsPerHost = options.concurrency
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = 600
        manager = HTTPSessionManager(baseURL: nil, sessionConfiguration: configuration)
        manager.completionQueue = DispatchQueue(label: "completions")
        manager.responseSerializer = HTTPResponseSerializer()
        for (name, value) in RequestFields.fixed {
            manager.requestSerializer.setValue(value, forHTTPHeaderField: name)
        }
        if !options.reusesConnections {
            manager.requestSerializer.setValue("close", forHTTPHeaderField: "connection")
        }
    }

    func run() async -> Tally {
        var tally = await AsyncLoad(options) { number, _ in try await perform(number: number) }
            .run()
        tally.connectionsOpened = -1
        return tally
    }

    private func perform(number: Int) async throws -> Outcome {
        let url = options.url(number: number)
        let headers: HTTPHeaders = [HTTPHeader(name: RequestFields.identifier, value: "\(number)")]
        let object =
            usesHandlers
            ? try await call(url, headers) : try await manager.get(url, headers: headers)
        // The serializer fails for any other status.
        return Outcome(status: 200, received: (object as? Data)?.count ?? 0)
    }

    private func call(_ url: String, _ headers: HTTPHeaders) async throws -> (any Sendable)? {
        try await withCheckedThrowingContinuation { continuation in
            manager.get(
                url,
                headers: headers,
                success: { continuation.resume(returning: $1) },
                failure: { continuation.resume(throwing: $1) }
            )
        }
    }
}
