import Foundation

extension SurfaceScript {
    static func webSocketNames(_ stage: Stage) {
        let codes: [URLSessionWebSocketTask.CloseCode] = [
            .invalid, .normalClosure, .goingAway, .protocolError, .unsupportedData,
            .noStatusReceived, .abnormalClosure, .invalidFramePayloadData, .policyViolation,
            .messageTooBig, .mandatoryExtensionMissing, .internalServerError, .tlsHandshakeFailure,
        ]
        for code in codes {
            let same = URLSessionWebSocketTask.CloseCode(rawValue: code.rawValue) ?? .invalid
            stage.log("\(code.rawValue): \(hasValue(code, equalTo: same))")
        }
        stage.log(text(of: .string("text")))
        stage.log(text(of: .data(Data("data".utf8))))
    }

    private static func text(of message: URLSessionWebSocketTask.Message) -> String {
        switch message {
        case .string(let text): "text \(text)"
        case .data(let data): "\(data.count) bytes"
        @unknown default: "something new"
        }
    }

    /// Exchanges messages with an echo server, with both styles of calls.
    static func webSocket(_ stage: Stage) async throws {
        let log = SocketLog(stage)
        let session = URLSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        var components = URLComponents(url: stage.url("/socket"), resolvingAgainstBaseURL: true)
        components?.scheme = "ws"
        guard let url = components?.url else { return }
        let task = session.webSocketTask(with: url, protocols: ["echo"])
        task.maximumMessageSize = 1 << 20
        stage.log("at most \(task.maximumMessageSize)")
        task.resume()
        try await task.send(.string("hello"))
        stage.log(text(of: try await task.receive()))
        let failure = await withCheckedContinuation { continuation in
            task.send(.data(Data("bytes".utf8))) { continuation.resume(returning: $0) }
        }
        stage.log("sent: \(stage.text(of: failure))")
        let result = await withCheckedContinuation { continuation in
            task.receive { continuation.resume(returning: $0) }
        }
        stage.log(text(of: try result.get()))
        let lost = await withCheckedContinuation { continuation in
            task.sendPing { continuation.resume(returning: $0) }
        }
        stage.log("pong: \(stage.text(of: lost))")
        try await task.sendPing()
        stage.log("code \(task.closeCode.rawValue), reason \(task.closeReason?.count ?? -1)")
        task.cancel(with: .goingAway, reason: Data("bye".utf8))
        for line in await log.lines() { stage.log(line) }
        session.finishTasksAndInvalidate()
    }

    /// Other ways to create and end a task; only compiled.
    static func webSocketTasks(_ session: URLSession, _ url: URL) -> [URLSessionWebSocketTask] {
        let tasks = [
            session.webSocketTask(with: url), session.webSocketTask(with: URLRequest(url: url)),
        ]
        for task in tasks {
            task.cancel()
            if task.error != nil { task.resume() }
        }
        return tasks
    }
}
