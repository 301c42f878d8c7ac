internal import CurlNetworking
internal import Foundation
internal import TestSupport

/// Managers that come and go.
extension NetworkingProbe {
    /// Makes and drops so many managers, and tells what is left of them.
    func managers(_ count: Int) async throws {
        // What the process makes once and keeps.
        for number in 0..<400 { try await live(number) }
        try await tellOfRest("before")
        for number in 0..<count { try await live(number) }
        try await tellOfRest("after")
    }

    /// One manager's life, of five that there are.
    private func live(_ number: Int) async throws {
        let isOver = Watched(false)
        switch number % 5 {
        case 0: try await answered(isOver)
        case 1: underWay(isOver)
        case 2: invalidated(isOver)
        case 3: neverResumed(isOver)
        default: return unused()
        }
        try await isOver.wait { $0 ? () : nil }
    }

    private func manager(_ isOver: Watched<Bool>) -> HTTPSessionManager {
        let manager = manager()
        manager.setSessionDidBecomeInvalid { _, _ in isOver.update { $0 = true } }
        return manager
    }

    private func answered(_ isOver: Watched<Bool>) async throws {
        let manager = manager(isOver)
        try await manager.get("object")
    }

    /// Nobody has the manager but its tasks.
    private func underWay(_ isOver: Watched<Bool>) {
        let manager = manager(isOver)
        for _ in 0..<3 { manager.get("object", success: { _, _ in }, failure: nil) }
    }

    private func invalidated(_ isOver: Watched<Bool>) {
        let manager = manager(isOver)
        for _ in 0..<3 { manager.get("object", success: nil, failure: { _, _ in }) }
        manager.invalidateSessionCancelingTasks(true, resetSession: false)
    }

    /// A task that was never resumed has to be cancelled: it could still be.
    private func neverResumed(_ isOver: Watched<Bool>) {
        let manager = manager(isOver)
        let task = manager.downloadTask(
            with: URLRequest(url: url),
            destination: { file, _ in file },
            completionHandler: { _, _, _ in }
        )
        task.cancel()
    }

    /// It never has a session.
    private func unused() {
        let manager = manager()
        manager.securityPolicy = SecurityPolicy(pinningMode: .publicKey)
        manager.requestSerializer = JSONRequestSerializer()
    }

    private func tellOfRest(_ moment: String) async throws {
        try await ProcessFacts.threadsEnd(namePrefix: "curl-loop")
        try await tell(moment)
    }
}
