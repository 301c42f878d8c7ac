internal import CurlURLSession
public import Foundation

/// What was wrong with a ``TransferJob``, in a form that is stored with it.
public struct TransferJobFailure: Error, Sendable, Hashable, Codable {
    /// The domain of the error that caused it: `NSURLErrorDomain` for failures of the network, and
    /// ``errorDomain`` for those of the journal.
    public let domain: String
    /// The error's number in its domain; a status, or a number of `errno.h`, in ``errorDomain``.
    public let code: Int
    /// What was wrong, in English, without anything secret.
    public let message: String
    /// Whether the same request may do better later.
    public let isTransient: Bool

    /// The domain of the journal's own failures.
    public static let errorDomain = "CurlNetworking.TransferJob"

    init(_ message: String, code: Int = 0, isTransient: Bool = false) {
        domain = Self.errorDomain
        self.code = code
        self.message = message
        self.isTransient = isTransient
    }

    /// Why a challenge was refused, with the reason, where there is one.
    init(refusal error: any Error) {
        let plain = error as NSError
        var message = plain.localizedDescription
        if let reason = plain.localizedFailureReason, !message.contains(reason) {
            message += " " + reason
        }
        self.init(error, message: message)
    }

    /// An error of the loading system, or of whoever was asked for the request.
    init(_ error: any Error, isTransient: Bool? = nil, message: String? = nil) {
        let plain = error as NSError
        let sorted = NetworkingError(error)
        domain = plain.domain
        code = plain.code
        self.message = message ?? plain.localizedDescription
        self.isTransient =
            isTransient ?? (sorted.isTimeout || sorted.isConnectivity || sorted.isBrokenOff)
    }
}

extension NetworkingError {
    /// Whether the response ended before it was whole.
    fileprivate var isBrokenOff: Bool {
        kind == .loading(.badServerResponse) || kind == .loading(.cannotLoadFromNetwork)
    }
}

extension TransferJobFailure: LocalizedError {
    /// What was wrong, in English.
    public var errorDescription: String? { message }
}

extension TransferJobFailure: CustomNSError {
    /// ``code``.
    public var errorCode: Int { code }
    /// What was wrong, in English.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
