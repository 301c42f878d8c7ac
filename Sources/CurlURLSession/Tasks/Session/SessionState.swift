internal import CurlTransport
internal import Foundation

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
