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
    /// 5 by default. An attempt that brings bytes begins the count anew.
    public var maximumAttempts = 5
    /// How long is waited after the first such failure, in seconds; 1 by default. It doubles with each one,
    /// up to ``maximumRetryDelay``. A `Retry-After` of the server's that is longer counts, up to the same
    /// limit.
    public var retryDelay: TimeInterval = 1
    /// How long is waited at most, in seconds; 60 by default.
    public var maximumRetryDelay: TimeInterval = 60
    /// The names of header fields that aren't written down, in any case of letters. By default
    /// `Authorization`, `Proxy-Authorization` and `Cookie`; a program adds those of its own that hold a
    /// secret, such as `X-API-Key`.
    ///
    /// In the process that has added the job they are sent. After another start they are asked for again:
    /// of the manager's request serializer, if it is an ``HTTPSessionManager``, and of
    /// ``requestPreparation``. Cookies, and the answers to challenges, are the session's to add.
    public var omittedHeaderFields: Set<String> = [
        "Authorization", "Cookie", "Proxy-Authorization",
    ]
    /// Is given each request before it is sent, and returns what is sent in its place: with a token that is
    /// fresh, for instance. Throwing is a failure of the job, which is attempted again if the error is one
    /// of the network. It is called on no particular thread.
    public var requestPreparation: RequestPreparation?
    /// After so many bytes of a download, what there is is made durable and written down; 16 MiB by default.
    /// What wasn't, is loaded again after the system has crashed; nothing is after the program has.
    public var durableInterval: Int64 = 16 << 20

    /// Is told of each step of a job before it is done: for tests, which end the program there.
    package var willTakeStep: (@Sendable (JournalStep, String) -> Void)?

    /// What is described at each property.
    public init() {}
}
