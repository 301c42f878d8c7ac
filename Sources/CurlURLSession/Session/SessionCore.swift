internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// What a session consists of, whatever class it is.
///
/// Lock order: a task's lock may be held when a session's is taken, never the other way round.
final class SessionCore: Sendable {
    let settings: SessionSettings
    /// A copy, which is copied again for each who asks.
    let configuration: URLSessionConfiguration
    let events: DelegateEvents
    /// Where credentials were accepted.
    let protection = KnownProtection()
    /// Where bodies are read and files written: what may wait for a disk.
    let files: OperationQueue
    let isShared: Bool
    /// Where tasks of all sessions do what may wait for a disk, or calls what isn't theirs: not on an
    /// event loop's thread, nor on one of Swift's, of which there are as many as processors: those who
    /// wait for the tasks may have them all blocked.
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

    /// The delegate in its roles, until the session is invalid.
    var delegates: SessionDelegates? { state.withLock { $0.delegates } }

    var sessionDescription: String? {
        get { state.withLock { $0.sessionDescription } }
        set { state.withLock { $0.sessionDescription = newValue } }
    }

    // MARK: Tasks

    /// The next task's identifier, from 1.
    func nextIdentifier() -> Int {
        counter.add(1, ordering: .relaxed).newValue
    }

    /// Takes note of a new task. False if the session was invalidated.
    func add(_ task: TaskCore) -> Bool {
        state.withLock { $0.add(task) }
    }

    /// A task is over.
    func remove(_ task: TaskCore) {
        let end = state.withLock { $0.remove(task.identifier) }
        if let end { tell(end) }
    }

    /// Those that aren't over, in the order in which they were created.
    var tasks: [URLSessionTask] {
        state.withLock { Array($0.tasks.values) }
            .sorted { $0.identifier < $1.identifier }
            .compactMap(\.task)
    }

    // MARK: Connections

    /// The session's connections, made when they are first needed.
    ///
    /// - Throws: What keeps a transport from starting, or that the session has become invalid.
    func transport() throws(TransportError) -> Transport {
        try state.withLock { state throws(TransportError) in
            if let transport = state.transport { return transport }
            if case .invalid = state.validity { throw .shutdown }
            let transport = try Transport(configuration: settings.transportConfiguration())
            state.transport = transport
            return transport
        }
    }

    /// Lets requests from now on use new connections. What is under way goes on, and what is about to
    /// begin: loaders hold the transport that they were given, which ends with the last of them.
    func forgetConnections() {
        let transport = state.withLock { $0.transport.take() }
        // Perhaps the last reference, which isn't to be let go of under the lock.
        extendLifetime(transport)
    }

    // MARK: The end

    /// Takes no more tasks, and lets the delegate go once those that there are have ended.
    func invalidate(_ session: URLSession, cancelsTasks: Bool) {
        guard !isShared else { return }
        let (tasks, end) = state.withLock { state in
            let end = state.invalidate(session)
            return (cancelsTasks ? Array(state.tasks.values) : [], end)
        }
        for task in tasks { task.cancel() }
        if let end { tell(end) }
    }

    private func tell(_ end: SessionState.End) {
        end.transport?.beginShutdown(.finish)
        guard let delegates = end.delegates else { return }
        let session = end.session
        events.append(
            .call { [self] in
                delegates.base.urlSession(session, didBecomeInvalidWithError: nil)
                // Let go of outside of the lock.
                let last = state.withLock { $0.delegates.take() }
                extendLifetime(last)
            }
        )
    }
}
