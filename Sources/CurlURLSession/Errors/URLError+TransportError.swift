public import CurlTransport
public import Foundation

extension URLError {
    /// Converts a transport error.
    ///
    /// The transport's error, with libcurl's code and message, is under `NSUnderlyingErrorKey`.
    package init(_ error: TransportError, url: URL?) {
        self.init(
            URLError.Code(error),
            url: url ?? error.url.flatMap { URL(string: $0) },
            reason: error.message,
            underlying: error
        )
    }

    /// Creates an error for a failure outside of the transport.
    ///
    /// The localized description is Foundation's text for the code and the host. `reason` is the
    /// failure reason and the debug description.
    ///
    /// - Parameters:
    ///   - url: The URL to load. User name and password are left out.
    ///   - reason: What is wrong and what to do, in English, without secrets.
    ///   - underlying: The cause.
    init(
        _ code: URLError.Code,
        url: URL?,
        reason: String,
        underlying: (any Error)? = nil
    ) {
        let sentence = reason.prefix(1).uppercased() + reason.dropFirst()
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: code.localizedText(host: url?.host()),
            // An error's description shows this one.
            NSLocalizedFailureReasonErrorKey: sentence,
            NSDebugDescriptionErrorKey: sentence,
        ]
        if let url = url?.withoutUserInfo {
            info[NSURLErrorFailingURLErrorKey] = url
            info[Self.failingURLStringKey] = url.absoluteString
        }
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        self.init(code, userInfo: info)
    }

    /// What was wrong and what to do, in English; the localized description if nothing is known.
    package var reason: String {
        userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? localizedDescription
    }

    /// `NSURLErrorFailingURLStringErrorKey`, which is deprecated but still used.
    static let failingURLStringKey = "NSErrorFailingURLStringKey"
}

extension URLError {
    /// Converts a WebSocket error.
    init(_ error: WebSocketError, url: URL?) {
        switch error {
        case .cancelled:
            self.init(TransportError.cancelled, url: url)
        case .connection(let error) where error.code == .emptyReply:
            // The server has ended the connection instead of answering the handshake.
            self.init(.badServerResponse, url: url, reason: error.message, underlying: error)
        case .connection(let error):
            self.init(error, url: url)
        case .invalidRequest(let reason):
            self.init(.badURL, url: url, reason: "\(reason).", underlying: error)
        case .refused(_, let reason):
            self.init(.badServerResponse, url: url, reason: "\(reason).", underlying: error)
        case .violation(let violation):
            let isTooBig = violation.status == .messageTooBig
            self.init(
                isTooBig ? .dataLengthExceedsMaximum : .badServerResponse,
                url: url,
                reason: "the server violates the protocol: \(violation.reason).",
                underlying: error
            )
        case .closed(let status):
            self.init(
                .networkConnectionLost,
                url: url,
                reason: "the WebSocket was closed, with the status \(status.rawValue).",
                underlying: error
            )
        }
    }
}

// An underlying error's properties for code that knows only Foundation's error protocols.

extension TransportError: CustomNSError {
    /// The domain `CurlTransport.TransportError`.
    public static var errorDomain: String { "CurlTransport.TransportError" }

    /// The CURLcode of the failure; 0 if it isn't from libcurl.
    public var errorCode: Int { Int(curlCode ?? 0) }

    /// A description in English, and the `underlying` error if there is one.
    ///
    /// The latter is under `NSUnderlyingErrorKey`.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[NSUnderlyingErrorKey] = underlying
        return info
    }
}

extension TransportError: LocalizedError {
    /// What is wrong, where, and what to do, in English.
    public var errorDescription: String? { message }
}
