internal import CurlTransport
internal import Foundation

/// What changes in the life of a session.
struct SessionState {
    enum Validity {
        case valid
        /// No new tasks are taken; the session becomes invalid with the last one that there is.
        case ending(URLSession)
        case invalid
    }

    private(set) var validity = Validity.valid
    /// Those that aren't over, by their identifiers.
    private(set) var tasks: [Int: TaskCore] = [:]
    var delegates: SessionDelegates?
    /// `nil` until the first request goes over the network.
    var transport: Transport?
    var sessionDescription: String?

    /// What is left to do when a session becomes invalid.
    struct End {
        let session: URLSession
        let delegates: SessionDelegates?
        let transport: Transport?
    }

    /// False if the session takes no more.
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
