public import CurlURLSession
public import Foundation
internal import HTTPSemantics

/// Limits, retries and storage of a ``TransferJournal``.
public struct TransferJournalConfiguration: Sendable {
    /// Completes a request with what isn't stored; see ``requestPreparation``.
    public typealias RequestPreparation =
        @Sendable (URLRequest, TransferJob) async throws -> URLRequest

    /// The maximum number of concurrent transfers; 4 by default, at least 1.
    ///
    /// The session's limit per host applies as well.
    public var maximumConcurrentTransfers = 4
    /// How many attempts in a row may fail without progress; 5 by default.
    ///
    /// It applies to failures that may be transient: no connection, a timeout, an incomplete
    /// response, or the status 408, 425, 429 or 500 to 599 except 501 and 505. After that many
    /// attempts the job has failed. An attempt that leaves more durable bytes of a download than
    /// any attempt before restarts the count.
    public var maximumAttempts = 5
    /// The delay after the first such failure, in seconds; 1 by default.
    ///
    /// It doubles with each failure, up to ``maximumRetryDelay``. A longer `Retry-After` of the
    /// server takes precedence, up to ``maximumRetryAfter``.
    public var retryDelay: TimeInterval = 1
    /// The maximum delay without `Retry-After`, in seconds; 60 by default.
    public var maximumRetryDelay: TimeInterval = 60
    /// The maximum delay because of `Retry-After`, in seconds; 3,600 by default.
    ///
    /// The server may send seconds or a date (RFC 9110, 10.2.3).
    public var maximumRetryAfter: TimeInterval = 3600
    /// The names of header fields that aren't stored, compared without case.
    ///
    /// By default those of ``CURLDescriptionOptions/usualSecretHeaders``: `Authorization`,
    /// `Proxy-Authorization`, `Cookie`, `X-API-Key`, `API-Key`, `X-Auth-Token`, `X-CSRF-Token` and
    /// `X-Amz-Security-Token`. As long as it contains all of them, other fields whose names have a
    /// word such as `token`, `secret`, `session` or `signature` aren't stored, either. Add your own
    /// fields that hold a secret.
    ///
    /// The process that has added a job sends them, also when a failed job is resumed. After a
    /// restart, they come from the manager's request serializer and from ``requestPreparation``;
    /// from the serializer only if the manager is an ``HTTPSessionManager`` and the job's URL has
    /// the scheme, host and port of its `baseURL`. A redirect to another origin drops them. The
    /// session adds cookies and the answers to challenges.
    public var omittedHeaderFields = SensitiveFields.usualNames
    /// Called with each request before it is sent; returns the request to send.
    ///
    /// It can add a fresh token, for instance. If it throws, the attempt fails; the job is retried
    /// if the error is one of the network. A redirect to another origin drops the header fields
    /// that it adds or changes. It runs on no particular thread.
    public var requestPreparation: RequestPreparation?
    /// How many bytes of a download are written between two synchronizations; 16 MiB by default.
    ///
    /// After that many bytes, the part file is made durable and its size is recorded. After a crash
    /// of the system, bytes beyond that are loaded again; after a crash of the program, none are.
    public var durableInterval: Int64 = 16 << 20

    /// Returns the number of `errno.h` with which a synchronization fails; 0 for success.
    package typealias SynchronizationFailure = @Sendable () -> Int32

    /// Called before a part file is made durable. Tests use it to make that fail.
    package var synchronizationFailure: SynchronizationFailure?

    /// Called before each step of a job. Tests use it to end the program there.
    package var willTakeStep: (@Sendable (JournalStep, String) -> Void)?

    /// Creates a configuration with the defaults that each property describes.
    public init() {}

    /// The delay after a number of failed attempts in a row, in seconds.
    ///
    /// - Parameter retryAfter: The server's `Retry-After`, in seconds; `nil` if it sent none.
    func delay(afterFailures attempts: Int, retryAfter: TimeInterval?) -> TimeInterval {
        let own = retryDelay * pow(2, Double(min(attempts, 30) - 1))
        return max(0, min(own, maximumRetryDelay), min(retryAfter ?? 0, maximumRetryAfter))
    }
}

/// A step of a job that changes its record or its files.
package enum JournalStep: String, Sendable, CaseIterable {
    /// The job is recorded.
    case addJob
    /// The part file is created or opened, and truncated to the bytes that count.
    case openPart
    /// A new attempt is recorded.
    case recordAttempt
    /// The old bytes are discarded.
    case emptyPart
    /// The validator of the new content is recorded.
    case recordResponse
    /// Bytes are written to the part file.
    case writeBytes
    /// The number of durable bytes is recorded.
    case recordBytes
    /// The body is made durable.
    case synchronizePart
    /// The move of the file is recorded.
    case recordMove
    /// The file is moved.
    case move
    /// The file's name is made durable.
    case synchronizeName
    /// The job's end is recorded.
    case recordEnd
    /// The delivery of the completion is recorded.
    case recordDelivery
}
