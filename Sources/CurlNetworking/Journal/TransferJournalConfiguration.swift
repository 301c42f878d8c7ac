public import Foundation

/// How a ``TransferJournal`` goes about its jobs.
public struct TransferJournalConfiguration: Sendable {
    /// Asks for what of a request isn't stored; see ``requestPreparation``.
    public typealias RequestPreparation =
        @Sendable (URLRequest, TransferJob) async throws -> URLRequest

    /// How many transfers are under way at once; 4 by default, and 1 at least. The session's limit for each
    /// host holds beside it.
    public var maximumConcurrentTransfers = 4
    /// How often in a row a transfer is attempted that brings nothing, for reasons that may pass: no
    /// connection, no answer in time, 408, 425, 429, and 500 to 599 but 501 and 505. Then the job has failed.
    /// 5 by default. An attempt after which more of a download is on the disk than after any before begins the
    /// count anew.
    public var maximumAttempts = 5
    /// How long is waited after the first such failure, in seconds; 1 by default. It doubles with each one,
    /// up to ``maximumRetryDelay``. A `Retry-After` of the server's that is longer counts, up to
    /// ``maximumRetryAfter``.
    public var retryDelay: TimeInterval = 1
    /// How long is waited at most where the server doesn't ask for more, in seconds; 60 by default.
    public var maximumRetryDelay: TimeInterval = 60
    /// How long is waited at most because a server asks for it by `Retry-After`, be it seconds or a date
    /// (RFC 9110, 10.2.3), in seconds; 3,600 by default.
    public var maximumRetryAfter: TimeInterval = 3600
    /// The names of header fields that aren't written down, in any case of letters. By default those of
    /// ``CURLDescriptionOptions/usualSecretHeaders``: `Authorization`, `Proxy-Authorization`, `Cookie`,
    /// `X-API-Key`, `API-Key`, `X-Auth-Token`, `X-CSRF-Token` and `X-Amz-Security-Token`; a program adds those
    /// of its own that hold a secret.
    ///
    /// In the process that has added the job they are sent, also when a job that has failed goes on. After
    /// another start they are asked for again: of the manager's request serializer, if it is an
    /// ``HTTPSessionManager`` and the job's URL has the scheme, host and port of its `baseURL`, and of
    /// ``requestPreparation``. A redirect to another origin drops them. Cookies, and the answers to challenges, are the session's to add.
    public var omittedHeaderFields = CURLDescriptionOptions.usualSecretHeaders
    /// Is given each request before it is sent, and returns what is sent in its place: with a token that is
    /// fresh, for instance. Throwing is a failure of the job, which is attempted again if the error is one
    /// of the network. Header fields that it adds or changes are dropped where a redirect leads to another
    /// origin. It is called on no particular thread.
    public var requestPreparation: RequestPreparation?
    /// After so many bytes of a download, what there is is made durable and written down; 16 MiB by default.
    /// What wasn't, is loaded again after the system has crashed; nothing is after the program has.
    public var durableInterval: Int64 = 16 << 20

    /// Which number of `errno.h` making a file durable fails with; 0 for none.
    package typealias SynchronizationFailure = @Sendable () -> Int32

    /// Is asked before a download's file is made durable: for tests, which have that fail.
    package var synchronizationFailure: SynchronizationFailure?

    /// Is told of each step of a job before it is done: for tests, which end the program there.
    package var willTakeStep: (@Sendable (JournalStep, String) -> Void)?

    /// What is described at each property.
    public init() {}

    /// How long is waited after so many attempts in vain, in seconds.
    ///
    /// - Parameter retryAfter: What the server asks for; `nil` where it asks for nothing.
    func delay(afterVain attempts: Int, retryAfter: TimeInterval?) -> TimeInterval {
        let own = retryDelay * pow(2, Double(min(attempts, 30) - 1))
        return max(0, min(own, maximumRetryDelay), min(retryAfter ?? 0, maximumRetryAfter))
    }
}
