public import CurlURLSession
public import Foundation

/// What kind of failure an error stands for, whoever made it.
///
/// Completion handlers get the `NSError`s that AFNetworking makes, and the loading system's own. This
/// sorts them, once, into kinds that can be told apart without domains, codes and `userInfo`:
///
/// ```swift
/// let failure = NetworkingError(error)
/// if failure.isTimeout { retry() }
/// if failure.responseCode == 401 { logIn() }
/// ```
public struct NetworkingError: Error, Sendable {
    /// The error itself.
    public let error: any Error
    /// What kind of failure it is.
    public let kind: Kind

    /// A kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The task was cancelled.
        case cancelled
        /// A time limit passed.
        case timeout
        /// The server couldn't be found or reached, or the connection was lost.
        case connectivity
        /// The server's certificates aren't trusted; with the check that failed, where it is known.
        case serverTrust(ServerTrustFailure?)
        /// The server wants a certificate of the client, or refuses the one that it was shown.
        case clientCertificate
        /// Parameters couldn't be put into a request, or a request can't be sent.
        case invalidRequest
        /// The status isn't acceptable.
        case unacceptableStatusCode(Int)
        /// The media type isn't acceptable; `nil` where the server named none.
        case unacceptableContentType(String?)
        /// There is no body, and there should be one.
        case missingBody
        /// The body isn't what it should be.
        case undecodableBody
        /// Another failure of the loading system, by its code.
        case loading(URLError.Code)
        /// Anything else.
        case other
    }

    /// Sorts an error. One that is sorted already stays what it is.
    public init(_ error: any Error) {
        if let sorted = error as? NetworkingError {
            self = sorted
        } else {
            self.error = error
            kind = Kind(error)
        }
    }

    // MARK: What kind

    /// Whether a time limit passed.
    public var isTimeout: Bool { kind == .timeout }
    /// Whether the task was cancelled.
    public var isCancelled: Bool { kind == .cancelled }
    /// Whether the server couldn't be found or reached, or the connection was lost.
    public var isConnectivity: Bool { kind == .connectivity }
    /// Whether the server's certificates aren't trusted.
    public var isServerTrust: Bool { if case .serverTrust = kind { true } else { false } }
    /// Whether the loading system failed, rather than a serializer.
    public var isSessionTaskError: Bool { chain.first?.domain == NSURLErrorDomain }
    /// Whether there was a response that isn't acceptable.
    public var isResponseValidation: Bool {
        switch kind {
        case .unacceptableStatusCode, .unacceptableContentType: true
        default: false
        }
    }
    /// Whether the body couldn't be made what it should be.
    public var isResponseSerialization: Bool { kind == .undecodableBody || kind == .missingBody }

    // MARK: What is known

    /// What caused it: the first error under it, or `nil`.
    public var underlyingError: (any Error)? {
        (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    }

    /// The URL that failed, where it is known.
    public var url: URL? { first { $0[NSURLErrorFailingURLErrorKey] as? URL } }

    /// The response that was refused, where there was one.
    public var response: HTTPURLResponse? {
        first { $0[NetworkingOperationFailingURLResponseErrorKey] as? HTTPURLResponse }
    }

    /// The status of the response that was refused.
    public var responseCode: Int? { response?.statusCode }

    /// The body of the response that was refused: what the server itself says of it.
    public var responseData: Data? {
        first { $0[NetworkingOperationFailingURLResponseDataErrorKey] as? Data }
    }

    /// The media type of the response that was refused.
    public var responseContentType: String? { response?.mimeType }

    /// With what a download goes on that has failed, or was cancelled to go on later; see
    /// ``URLSessionManager/downloadTask(withResumeData:options:progress:destination:completionHandler:)``.
    public var resumeData: Data? { first { $0[NSURLSessionDownloadTaskResumeData] as? Data } }

    /// The loading system's error, be it the cause of another.
    public var urlError: URLError? {
        if let error = error as? URLError { return error }
        guard let found = chain.first(where: { $0.domain == NSURLErrorDomain }) else { return nil }
        return URLError(URLError.Code(rawValue: found.code) ?? .unknown, userInfo: found.userInfo)
    }

    private var chain: [NSError] { (error as NSError).chain }

    private func first<Value>(_ value: ([String: Any]) -> Value?) -> Value? {
        for error in chain {
            if let found = value(error.userInfo) { return found }
        }
        return nil
    }
}

extension NetworkingError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { (error as NSError).localizedDescription }
    /// The error's own reason.
    public var failureReason: String? { (error as NSError).localizedFailureReason }
}
