internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

// Lock order: a session's lock may be taken while a task's lock is held, never the other way round.
/// The state of a session, independent of its public class.
final class SessionCore: Sendable {
    let settings: SessionSettings
    /// A private copy; each caller gets another copy.
    let configuration: URLSessionConfiguration
    let events: DelegateEvents
    /// The protection spaces where credentials were accepted.
    let protection = PreemptiveCredentials()
    /// Runs blocking reads of bodies and writes of files, serially.
    let files: OperationQueue
    let isShared: Bool
    /// The memory in which event loops keep heads and small bodies until tasks take them.
    let buffers = BufferPool()
    /// Runs blocking disk work and user callbacks for all sessions' tasks.
    ///
    /// Neither an event loop's thread nor Swift's cooperative threads may block: of the latter
    /// there are as many as processors, and they may all be waiting for tasks.
    static let work = DispatchQueue(label: "curl-session-work", attributes: .concurrent)
    private let counter = Atomic(0)
    private let state = Mutex(SessionState())

    init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        queue: OperationQueue?,
        isShared: Bool = false
    ) {
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        self.configuration = copy
        settings = copy.frozen()
        events = DelegateEvents(queue: queue)
        files = OperationQueue()
        files.maxConcurrentOperationCount = 1
        self.isShared = isShared
        if let delegate {
            state.withLock { $0.delegates = SessionDelegates(delegate) }
        }
    }

    deinit {
        // Completed tasks keep the pool.
        buffers.close()
    }

    /// The delegate with its roles, until the session is invalid.
    var delegates: SessionDelegates? { state.withLock { $0.delegates } }

    var sessionDescription: String? {
        get { state.withLock { $0.sessionDescription } }
        set { state.withLock { $0.sessionDescription = newValue } }
    }

    // MARK: Tasks

    /// Returns the next task identifier, starting from 1.
    func nextIdentifier() -> Int {
        counter.add(1, ordering: .relaxed).newValue
    }

    /// Registers a new task. Returns false if the session was invalidated.
    func add(_ task: TaskCore) -> Bool {
        state.withLock { $0.add(task) }
    }

    /// Removes a completed task.
    func remove(_ task: TaskCore) {
        let end = state.withLock { $0.remove(task.identifier) }
        if let end { finishInvalidation(end) }
    }

    /// The unfinished tasks, in the order of their creation.
    var tasks: [URLSessionTask] { cores.compactMap(\.task) }

    /// The tasks in progress, in the order of their creation.
    ///
    /// A task that was never resumed isn't in progress, and neither is one that is being cancelled.
    var tasksInProgress: [URLSessionTask] { cores.compactMap(\.taskInProgress) }

    private var cores: [TaskCore] {
        state.withLock { Array($0.tasks.values) }.sorted { $0.identifier < $1.identifier }
    }

    // MARK: Connections

    /// Returns the session's transport, created on first use.
    ///
    /// - Throws: The reason why the transport can't start, or `shutdown` if the session is invalid.
    func transport() throws(TransportError) -> Transport {
        try state.withLock { state throws(TransportError) in
            if let transport = state.transport { return transport }
            if case .invalid = state.validity { throw .shutdown }
            let transport = try Transport(configuration: settings.transportConfiguration())
            state.transport = transport
            return transport
        }
    }

    /// Makes later requests use new connections.
    ///
    /// Transfers in flight and those about to start continue: each loader holds its transport,
    /// which ends with the last of them.
    func resetConnectionPool() {
        let transport = state.withLock { $0.transport.take() }
        // This may be the last reference, which must not be released under the lock.
        extendLifetime(transport)
    }

    // MARK: Invalidation

    /// Refuses new tasks. Releases the delegate when the existing tasks have ended.
    func invalidate(_ session: URLSession, cancelsTasks: Bool) {
        guard !isShared else { return }
        let (tasks, end) = state.withLock { state in
            let end = state.invalidate(session)
            return (cancelsTasks ? Array(state.tasks.values) : [], end)
        }
        for task in tasks { task.cancel() }
        if let end { finishInvalidation(end) }
    }

    private func finishInvalidation(_ end: SessionState.End) {
        end.transport?.beginShutdown(.finish)
        buffers.close()
        guard let delegates = end.delegates else { return }
        let session = end.session
        events.append(
            .call { [self] in
                delegates.base.urlSession(session, didBecomeInvalidWithError: nil)
                // Released outside of the lock.
                let last = state.withLock { $0.delegates.take() }
                extendLifetime(last)
            }
        )
    }
}

extension SessionCore {
    /// Writes cached responses to disk, and resets the connection pool.
    ///
    /// - Parameter then: Called on the delegate queue when the cache is on disk.
    func flush(then: @escaping @Sendable () -> Void) {
        resetConnectionPool()
        guard let cache = settings.urlCache else { return events.append(.call(then)) }
        cache.flush { [events] in events.append(.call(then)) }
    }

    /// Removes cookies, cached responses, credentials and connections.
    func reset() {
        resetConnectionPool()
        settings.httpCookieStorage?.removeCookies(since: .distantPast)
        settings.urlCache?.removeAllCachedResponses()
        guard let storage = settings.urlCredentialStorage else { return }
        for (space, credentials) in storage.allCredentials {
            for credential in credentials.values { storage.remove(credential, for: space) }
        }
    }
}

/// Tasks by kind. Upload tasks aren't included in the data tasks.
struct SortedTasks {
    let data: [URLSessionDataTask]
    let upload: [URLSessionUploadTask]
    let download: [URLSessionDownloadTask]

    init(_ tasks: [URLSessionTask]) {
        data = tasks.filter { !($0 is URLSessionUploadTask) }
            .compactMap { $0 as? URLSessionDataTask }
        upload = tasks.compactMap { $0 as? URLSessionUploadTask }
        download = tasks.compactMap { $0 as? URLSessionDownloadTask }
    }
}

/// The mutable state of a session.
struct SessionState {
    enum Validity {
        case valid
        /// New tasks are refused. The session becomes invalid when the last existing task ends.
        case ending(URLSession)
        case invalid
    }

    private(set) var validity = Validity.valid
    /// The unfinished tasks by identifier.
    private(set) var tasks: [Int: TaskCore] = [:]
    var delegates: SessionDelegates?
    /// `nil` until the first request uses the network.
    var transport: Transport?
    var sessionDescription: String?

    /// The remaining work when a session becomes invalid.
    struct End {
        let session: URLSession
        let delegates: SessionDelegates?
        let transport: Transport?
    }

    /// Returns false if the session refuses new tasks.
    mutating func add(_ task: TaskCore) -> Bool {
        guard case .valid = validity else { return false }
        tasks[task.identifier] = task
        return true
    }

    mutating func remove(_ identifier: Int) -> End? {
        tasks[identifier] = nil
        return endIfDone()
    }

    mutating func invalidate(_ session: URLSession) -> End? {
        guard case .valid = validity else { return nil }
        validity = .ending(session)
        return endIfDone()
    }

    private mutating func endIfDone() -> End? {
        guard tasks.isEmpty, case .ending(let session) = validity else { return nil }
        validity = .invalid
        return End(session: session, delegates: delegates, transport: transport.take())
    }
}

/// A session's delegate, cast once to each protocol that it conforms to.
struct SessionDelegates: Sendable {
    let base: any URLSessionDelegate
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?
    let download: (any URLSessionDownloadDelegate)?
    let webSocket: (any URLSessionWebSocketDelegate)?
    let stream: (any URLSessionStreamDelegate)?

    init(_ delegate: any URLSessionDelegate) {
        base = delegate
        task = delegate as? any URLSessionTaskDelegate
        // The other protocols refine the first one.
        data = task.flatMap { $0 as? any URLSessionDataDelegate }
        download = task.flatMap { $0 as? any URLSessionDownloadDelegate }
        webSocket = task.flatMap { $0 as? any URLSessionWebSocketDelegate }
        stream = task.flatMap { $0 as? any URLSessionStreamDelegate }
    }
}

extension URLSession {
    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func taskDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionTaskDelegate)? {
        core.delegates?.task.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func dataDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionDataDelegate)? {
        core.delegates?.data.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The delegate that gets the response's events of `task` after the task's own.
    ///
    /// There is none if a Swift task awaits the result: then only the task's own gets them.
    func dataDelegate(
        after delegate: any URLSessionDelegate,
        of task: URLSessionTask
    ) -> (any URLSessionDataDelegate)? {
        task.core.isAwaited ? nil : dataDelegate(after: delegate)
    }

    /// The delegate that gets the progress of `task` after the task's own.
    ///
    /// There is none if a Swift task awaits the result: then only the task's own gets it.
    func downloadDelegate(
        after delegate: any URLSessionDelegate,
        of task: URLSessionTask
    ) -> (any URLSessionDownloadDelegate)? {
        guard !task.core.isAwaited else { return nil }
        return core.delegates?.download.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func webSocketDelegate(
        after delegate: any URLSessionDelegate
    ) -> (any URLSessionWebSocketDelegate)? {
        core.delegates?.webSocket.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func streamDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionStreamDelegate)? {
        core.delegates?.stream.flatMap { $0 === delegate ? nil : $0 }
    }
}
