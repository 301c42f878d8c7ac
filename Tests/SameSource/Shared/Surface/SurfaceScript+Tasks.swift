import Foundation

extension SurfaceScript {
    static func tasks(_ stage: Stage) async throws {
        let log = CallbackLog(stage)
        let session = URLSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = session.dataTask(with: stage.url("/text"))
        fill(task, stage)
        describe(task, stage)
        stage.log("number \(task.taskIdentifier)")
        await log.run(task)
        await log.invalidate(session)
        describe(task, stage)
        stage.log("copied: \((task.copy() as? URLSessionTask) === task)")
        stage.log("copied: \((task.copy(with: nil) as? URLSessionTask) === task)")
        for state in [URLSessionTask.State.running, .suspended, .canceling, .completed] {
            let same = URLSessionTask.State(rawValue: state.rawValue) ?? .running
            stage.log("state \(state.rawValue): \(hasValue(state, equalTo: same))")
        }
    }

    private static func fill(_ task: URLSessionTask, _ stage: Stage) {
        task.taskDescription = "named"
        task.priority = URLSessionTask.lowPriority
        stage.log("priority \(task.priority)")
        task.priority = URLSessionTask.highPriority
        stage.log("priority \(task.priority)")
        task.priority = URLSessionTask.defaultPriority
        task.countOfBytesClientExpectsToSend = 10
        task.countOfBytesClientExpectsToReceive = 20
        let delegate = IdleDelegate()
        task.delegate = delegate
        stage.log("delegate \(task.delegate === delegate)")
        task.delegate = nil
    }

    private static func describe(_ task: URLSessionTask, _ stage: Stage) {
        stage.log("\(task.taskDescription ?? "unnamed"), state \(task.state.rawValue)")
        stage.log("priority \(task.priority)")
        stage.log("from \(task.originalRequest?.url?.path ?? "nowhere")")
        stage.log("at \(task.currentRequest?.url?.path ?? "nowhere")")
        stage.log("response \((task.response as? HTTPURLResponse)?.statusCode ?? 0)")
        stage.log("sent \(task.countOfBytesSent) of \(task.countOfBytesExpectedToSend)")
        stage.log("received \(task.countOfBytesReceived) of \(task.countOfBytesExpectedToReceive)")
        stage.log("to send \(task.countOfBytesClientExpectsToSend)")
        stage.log("to receive \(task.countOfBytesClientExpectsToReceive)")
        stage.log(stage.text(of: task.error))
    }

    static func progress(_ stage: Stage) async throws {
        let log = CallbackLog(stage)
        let session = URLSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        let task = session.dataTask(with: stage.url("/text"))
        stage.log("done \(task.progress.fractionCompleted)")
        await log.run(task)
        await log.invalidate(session)
        stage.log("done \(task.progress.fractionCompleted)")
    }

    static func tasksOfASession(_ stage: Stage) async throws {
        let session = URLSession(configuration: .ephemeral)
        let url = stage.url("/silence")
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let upload = session.uploadTask(with: request, from: Data("body".utf8))
        let tasks: [URLSessionTask] = [
            session.dataTask(with: url), upload, session.downloadTask(with: url),
        ]
        for task in tasks { task.resume() }
        let all = await withCheckedContinuation { continuation in
            session.getAllTasks { continuation.resume(returning: $0) }
        }
        stage.log("\(all.count) tasks, the same: \(Set(all) == Set(tasks))")
        let counts = await withCheckedContinuation { continuation in
            session.getTasksWithCompletionHandler { data, upload, download in
                continuation.resume(returning: [data.count, upload.count, download.count])
            }
        }
        stage.log("\(counts)")
        tasks[0].suspend()
        stage.log("suspended: \(tasks[0].state == .suspended)")
        tasks[0].resume()
        stage.log("running: \(tasks[0].state == .running)")
        session.invalidateAndCancel()
    }

    static func streamedUpload(_ stage: Stage) async throws {
        let streamer = StreamingDelegate(stage, body: Data("from a stream".utf8))
        let session = URLSession(
            configuration: .ephemeral,
            delegate: streamer,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: stage.url("/echo"))
        request.httpMethod = "POST"
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        await streamer.run(session.uploadTask(withStreamedRequest: request))
        request.httpBodyStream = InputStream(data: Data("of its own".utf8))
        await streamer.run(session.dataTask(with: request))
    }
}
