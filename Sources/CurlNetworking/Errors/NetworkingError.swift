public import CurlURLSession
public import Foundation

/// An error, sorted by the kind of its failure.
///
/// Completion handlers receive the `NSError`s that AFNetworking defines, and errors of the loading
/// system. This type sorts them once, so that clients needn't compare domains, codes and
/// `userInfo`:
///
/// ```swift
/// let failure = NetworkingError(error)
/// if failure.isTimeout { retry() }
/// if failure.responseCode == 401 { logIn() }
/// ```
public struct NetworkingError: Error, Sendable {
    /// The original error.
    public let error: any Error
    /// The kind of failure.
    public let kind: Kind

    /// A kind of failure.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// The task was cancelled.
        case cancelled
        /// A timeout expired.
        case timeout
        /// The server couldn't be found or reached, or the connection was lost.
        case connectivity
        /// The server's certificates aren't trusted.
        ///
        /// The failed check is included if it is known.
        case serverTrust(ServerTrustFailure?)
        /// The server requires a client certificate, or rejected the one it received.
        case clientCertificate
        /// The parameters couldn't be encoded, or the request can't be sent.
        case invalidRequest
        /// The status isn't acceptable.
        case unacceptableStatusCode(Int)
        /// The media type isn't acceptable; `nil` if the server sent none.
        case unacceptableContentType(String?)
        /// The response has no body, and one is required.
        case missingBody
        /// The body couldn't be decoded.
        case undecodableBody
        /// Another failure of the loading system, with its code.
        case loading(URLError.Code)
        /// Anything else.
        case other
    }

    /// Sorts an error. A `NetworkingError` stays unchanged.
    public init(_ error: any Error) {
        if let sorted = error as? NetworkingError {
            self = sorted
        } else {
            self.error = error
            kind = Kind(error)
        }
    }

    // MARK: Kinds of failures

    /// Whether a timeout expired.
    public var isTimeout: Bool { kind == .timeout }
    /// Whether the task was cancelled.
    public var isCancelled: Bool { kind == .cancelled }
    /// Whether the server couldn't be found or reached, or the connection was lost.
    public var isConnectivity: Bool { kind == .connectivity }
    /// Whether the server's certificates aren't trusted.
    public var isServerTrust: Bool { if case .serverTrust = kind { true } else { false } }
    /// Whether the loading system failed, and not a serializer.
    public var isSessionTaskError: Bool { chain.first?.domain == NSURLErrorDomain }
    /// Whether the response's status or media type isn't acceptable.
    public var isResponseValidation: Bool {
        switch kind {
        case .unacceptableStatusCode, .unacceptableContentType: true
        default: false
        }
    }
    /// Whether the body is missing or couldn't be decoded.
    public var isResponseSerialization: Bool { kind == .undecodableBody || kind == .missingBody }

    // MARK: Details

    /// The direct cause of the error, or `nil`.
    public var underlyingError: (any Error)? {
        (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    }

    /// The URL that failed, if it is known.
    public var url: URL? { first { $0[NSURLErrorFailingURLErrorKey] as? URL } }

    /// The response that was rejected, if there was one.
    public var response: HTTPURLResponse? {
        first { $0[NetworkingOperationFailingURLResponseErrorKey] as? HTTPURLResponse }
    }

    /// The status of the rejected response.
    public var responseCode: Int? { response?.statusCode }

    /// The body of the rejected response, which often contains the server's explanation.
    public var responseData: Data? {
        first { $0[NetworkingOperationFailingURLResponseDataErrorKey] as? Data }
    }

    /// The media type of the rejected response.
    public var responseContentType: String? { response?.mimeType }

    /// The data to resume a failed or cancelled download with.
    ///
    /// See
    /// ``URLSessionManager/downloadTask(withResumeData:options:progress:destination:completionHandler:)``.
    public var resumeData: Data? { first { $0[NSURLSessionDownloadTaskResumeData] as? Data } }

    /// The loading system's error, which may be the cause of another error.
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
    /// The original error's description.
    public var errorDescription: String? { (error as NSError).localizedDescription }
    /// The original error's failure reason.
    public var failureReason: String? { (error as NSError).localizedFailureReason }
}
