internal import CurlNetworking
internal import Foundation
internal import TestSupport

/// Sends many requests with one manager.
extension NetworkingProbe {
    private static let inFlight = 64

    /// Sends `count` requests in every form, 64 at a time. Prints what the process retains of them.
    func requests(_ count: Int) async throws {
        let manager = manager { $0.httpMaximumConnectionsPerHost = Self.inFlight }
        // Warms up: the process allocates some things once and keeps them.
        try await send(1_000, manager)
        try await report("before")
        try await send(count, manager)
        try await report("after")
        print("tasks=\(manager.tasks.count)")
    }

    private func send(_ count: Int, _ manager: HTTPSessionManager) async throws {
        let next = Watched(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.inFlight {
                group.addTask {
                    while true {
                        let number = next.update { next in
                            defer { next += 1 }
                            return next
                        }
                        guard number < count else { return }
                        try await send(number: number, manager)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// One request, of four forms.
    private func send(number: Int, _ manager: HTTPSessionManager) async throws {
        let parameters: [String: Any] = ["number": number]
        switch number % 4 {
        case 0: try await manager.get("object", parameters: parameters)
        case 1: try await manager.post("object", parameters: parameters) { _ in }
        case 2: try await call(number, manager)
        default: try await fail(manager)
        }
    }

    /// A request with handlers and a progress block.
    private func call(_ number: Int, _ manager: HTTPSessionManager) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            manager.post(
                "object",
                parameters: ["number": number],
                constructingBodyWith: { form in
                    form.appendPart(
                        withFileData: Data("content".utf8),
                        name: "file",
                        fileName: "file.txt",
                        mimeType: "text/plain"
                    )
                },
                progress: { _ in },
                success: { _, _ in continuation.resume() },
                failure: { continuation.resume(throwing: $1) }
            )
        }
    }

    /// A request whose status is a failure.
    private func fail(_ manager: HTTPSessionManager) async throws {
        do {
            try await manager.get("missing")
            throw URLError(.badServerResponse)
        } catch {
            guard NetworkingError(error).responseCode == 404 else { throw error }
        }
    }
}
