internal import CurlNetworking
internal import Foundation
internal import TestSupport

/// Creates and drops managers.
extension NetworkingProbe {
    /// Creates and drops `count` managers. Prints what the process retains of them.
    func managers(_ count: Int) async throws {
        // Warms up: the process allocates some things once and keeps them.
        for number in 0..<400 { try await useOneManager(ofKind: number) }
        try await reportAtRest("before")
        for number in 0..<count { try await useOneManager(ofKind: number) }
        try await reportAtRest("after")
    }

    /// Creates, uses and drops one manager, of five kinds.
    private func useOneManager(ofKind number: Int) async throws {
        let isOver = Watched(false)
        switch number % 5 {
        case 0: try await answered(isOver)
        case 1: inFlight(isOver)
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

    /// Only its tasks hold the manager.
    private func inFlight(_ isOver: Watched<Bool>) {
        let manager = manager(isOver)
        for _ in 0..<3 { manager.get("object", success: { _, _ in }, failure: nil) }
    }

    private func invalidated(_ isOver: Watched<Bool>) {
        let manager = manager(isOver)
        for _ in 0..<3 { manager.get("object", success: nil, failure: { _, _ in }) }
        manager.invalidateSessionCancelingTasks(true, resetSession: false)
    }

    /// Cancels a task that was never resumed, because it could still be resumed later.
    private func neverResumed(_ isOver: Watched<Bool>) {
        let manager = manager(isOver)
        let task = manager.downloadTask(
            with: URLRequest(url: url),
            destination: { file, _ in file },
            completionHandler: { _, _, _ in }
        )
        task.cancel()
    }

    /// A manager that never creates a session.
    private func unused() {
        let manager = manager()
        manager.securityPolicy = SecurityPolicy()
        manager.requestSerializer = JSONRequestSerializer()
    }

    private func reportAtRest(_ moment: String) async throws {
        try await ProcessFacts.threadsEnd(namePrefix: "curl-loop")
        try await report(moment)
    }
}
