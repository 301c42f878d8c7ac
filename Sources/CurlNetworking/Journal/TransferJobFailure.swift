internal import CurlURLSession
public import Foundation

/// Why a ``TransferJob`` failed, in a form that is stored with it.
public struct TransferJobFailure: Error, Sendable, Hashable, Codable {
    /// The domain of the underlying error.
    ///
    /// `NSURLErrorDomain` for failures of the network, ``errorDomain`` for those of the journal.
    public let domain: String
    /// The error's number in its domain.
    ///
    /// In ``errorDomain`` it is an HTTP status, or a number of `errno.h`.
    public let code: Int
    /// What went wrong, in English, without secrets.
    public let message: String
    /// Whether the same request may succeed later.
    public let isTransient: Bool

    /// The domain of the journal's own failures.
    public static let errorDomain = "CurlNetworking.TransferJob"

    init(_ message: String, code: Int = 0, isTransient: Bool = false) {
        domain = Self.errorDomain
        self.code = code
        self.message = message
        self.isTransient = isTransient
    }

    /// The failure of a refused challenge, with the reason if there is one.
    init(refusal error: any Error) {
        let plain = error as NSError
        var message = plain.localizedDescription
        if let reason = plain.localizedFailureReason, !message.contains(reason) {
            message += " " + reason
        }
        self.init(error, message: message)
    }

    /// The failure for an error of the loading system or the request preparation.
    init(_ error: any Error, isTransient: Bool? = nil, message: String? = nil) {
        let plain = error as NSError
        let sorted = NetworkingError(error)
        domain = plain.domain
        code = plain.code
        self.message = message ?? (error as? URLError)?.reason ?? plain.localizedDescription
        self.isTransient =
            isTransient ?? (sorted.isTimeout || sorted.isConnectivity || sorted.isBrokenOff)
    }
}

extension NetworkingError {
    /// Whether the response ended early.
    fileprivate var isBrokenOff: Bool {
        kind == .loading(.badServerResponse) || kind == .loading(.cannotLoadFromNetwork)
    }
}

extension TransferJobFailure: LocalizedError {
    /// What went wrong, in English.
    public var errorDescription: String? { message }
}

extension TransferJobFailure: CustomNSError {
    /// The error's number; same as ``code``.
    public var errorCode: Int { code }
    /// The message under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
