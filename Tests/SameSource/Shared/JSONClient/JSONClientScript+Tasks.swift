import Foundation

extension JSONClientScript {
    static let taskSteps = [
        Step("completion handlers", completionHandlers),
        Step("no answer", noAnswer),
        Step("upload", upload),
        Step("moved", moved),
        Step("moved with its body", movedWithItsBody),
        Step("time-out", timeOut),
        Step("cancelled", cancelled),
        Step("cancelled by its task", cancelledByItsTask),
        Step("metrics", metrics),
        Step("invalidated", invalidated),
    ]

    private static func completionHandlers(_ stage: Stage) async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let client = APIClient(stage, queue: queue)
        defer { client.session.finishTasksAndInvalidate() }
        stage.log("its queue: \(client.session.delegateQueue === queue)")
        let request = try client.request("GET", "notes")
        let result = await withCheckedContinuation { continuation in
            client.start(request, as: NoteList.self) { result in
                stage.log("on its queue: \(OperationQueue.current === queue)")
                continuation.resume(returning: result)
            }
        }
        let answer = try result.get()
        stage.log("\(answer.response.statusCode): \(answer.value.notes.count) notes")
    }

    private static func noAnswer(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        do {
            _ = try await client.get("dropped", as: Nothing.self)
        } catch {
            stage.log(stage.text(of: error))
        }
    }

    private static func upload(_ stage: Stage) async throws {
        let log = CallbackLog(stage)
        let client = APIClient(stage, delegate: log)
        var request = try client.request("POST", "echo")
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        let body = Data(repeating: UInt8(ascii: "x"), count: 300_000)
        let task = client.session.uploadTask(with: request, from: body)
        await log.run(task)
        await log.invalidate(client.session)
        stage.log("sent \(task.countOfBytesSent) of \(task.countOfBytesExpectedToSend)")
        stage.log("received \(task.countOfBytesReceived)")
        stage.log("completed: \(task.state == .completed)")
    }

    private static func moved(_ stage: Stage) async throws {
        let log = CallbackLog(stage)
        let client = APIClient(stage, delegate: log)
        let task = client.session.dataTask(with: stage.url("/deep/old"))
        await log.run(task)
        await log.invalidate(client.session)
        stage.log("from \(task.originalRequest?.url?.path ?? "nowhere")")
        stage.log("to \(task.currentRequest?.url?.path ?? "nowhere")")
        stage.log("got \(task.response?.url?.path ?? "nothing")")
    }

    private static func movedWithItsBody(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        let note = Note(id: 1, title: "Moved")
        let answer = try await client.send(
            client.request("POST", "kept", body: note),
            as: [String: String].self
        )
        stage.log("\(answer.value["method"] ?? "?") with \(answer.value["bytes"] ?? "?") bytes")
        stage.log("of \(answer.value["type"] ?? "?")")
    }

    private static func timeOut(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        var request = try client.request("GET", "silence")
        request.timeoutInterval = 1
        do {
            _ = try await client.send(request, as: Nothing.self)
        } catch {
            stage.log(stage.text(of: error))
        }
    }

    private static func cancelled(_ stage: Stage) async throws {
        let client = APIClient(stage)
        let request = try client.request("GET", "silence")
        let result = await withCheckedContinuation { continuation in
            let task = client.start(request, as: Nothing.self) { result in
                continuation.resume(returning: result)
            }
            task.cancel()
        }
        do {
            _ = try result.get()
        } catch {
            stage.log(stage.text(of: error))
        }
        client.session.invalidateAndCancel()
    }

    private static func cancelledByItsTask(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        let work = Task { try await client.get("noticed", as: Nothing.self) }
        try await stage.control("wait/noticed")
        work.cancel()
        do {
            _ = try await work.value
        } catch {
            stage.log(stage.text(of: error))
        }
    }

    private static func metrics(_ stage: Stage) async throws {
        let log = MetricsLog(stage)
        let client = APIClient(stage, delegate: log)
        defer { client.session.finishTasksAndInvalidate() }
        await log.run(client.session.dataTask(with: stage.url("/deep/old")))
    }

    private static func invalidated(_ stage: Stage) async throws {
        let log = CallbackLog(stage)
        let client = APIClient(stage, delegate: log)
        client.session.dataTask(with: stage.url("/text")).resume()
        await log.invalidate(client.session)
    }
}
