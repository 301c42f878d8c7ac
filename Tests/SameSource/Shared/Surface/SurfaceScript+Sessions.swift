import Foundation

extension SurfaceScript {
    static func sessions(_ stage: Stage) async throws {
        stage.log("shared: \(URLSession.shared === URLSession.shared)")
        stage.log("delegate \(URLSession.shared.delegate != nil)")
        let plain = URLSession(configuration: .ephemeral)
        stage.log("described \(plain.sessionDescription ?? "not")")
        plain.sessionDescription = "plain"
        stage.log("described \(plain.sessionDescription ?? "not")")
        stage.log("delegate \(plain.delegate != nil)")
        stage.log("at once \(plain.delegateQueue.maxConcurrentOperationCount)")
        plain.invalidateAndCancel()
        let queue = OperationQueue()
        let delegate = IdleDelegate()
        let own = URLSession(
            configuration: .ephemeral,
            delegate: delegate,
            delegateQueue: queue
        )
        stage.log("own delegate \(own.delegate === delegate), queue \(own.delegateQueue === queue)")
        own.finishTasksAndInvalidate()
        stage.log("equal: \(hasValue(own, equalTo: own))")
        let dispositions: [URLSession.ResponseDisposition] = [.cancel, .allow]
        for disposition in dispositions {
            let same = URLSession.ResponseDisposition(rawValue: disposition.rawValue) ?? .cancel
            stage.log(
                "disposition \(disposition.rawValue): \(hasValue(disposition, equalTo: same))"
            )
        }
        let delays: [URLSession.DelayedRequestDisposition] = [
            .continueLoading, .useNewRequest, .cancel,
        ]
        for delay in delays { stage.log("\(delay): \(delay != .cancel)") }
    }

    static func flushAndReset(_ stage: Stage) async throws {
        let session = URLSession(configuration: .ephemeral)
        await withCheckedContinuation { continuation in
            session.flush { continuation.resume() }
        }
        stage.log("flushed")
        await withCheckedContinuation { continuation in
            session.reset { continuation.resume() }
        }
        stage.log("reset")
        session.invalidateAndCancel()
    }

    static func data(_ stage: Stage) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let url = stage.url("/text")
        let request = URLRequest(url: url)
        let (first, _) = try await session.data(from: url)
        let (second, _) = try await session.data(for: request)
        let (third, _) = try await session.data(from: url, delegate: IdleDelegate())
        let (fourth, _) = try await session.data(for: request, delegate: IdleDelegate())
        stage.log("\(first.count) \(second.count) \(third.count) \(fourth.count)")
        for byURL in [true, false] {
            await withCheckedContinuation { continuation in
                let handler: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = {
                    data,
                    response,
                    error in
                    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                    stage.log("\(status): \(data?.count ?? -1), \(stage.text(of: error))")
                    continuation.resume()
                }
                let task =
                    byURL
                    ? session.dataTask(with: url, completionHandler: handler)
                    : session.dataTask(with: request, completionHandler: handler)
                task.resume()
            }
        }
        let tasks = [session.dataTask(with: url), session.dataTask(with: request)]
        stage.log("\(tasks.map(\.state.rawValue))")
        for task in tasks { task.cancel() }
    }

    static func uploads(_ stage: Stage) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let body = Data("a body".utf8)
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("curlnetworking-\(UUID().uuidString)")
        try body.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var request = URLRequest(url: stage.url("/echo"))
        request.httpMethod = "POST"
        let (first, _) = try await session.upload(for: request, from: body)
        let (second, _) = try await session.upload(
            for: request,
            from: body,
            delegate: IdleDelegate()
        )
        stage.log("\(first == second), \(String(decoding: first, as: UTF8.self))")
        let (third, _) = try await session.upload(for: request, fromFile: file)
        let (fourth, _) = try await session.upload(
            for: request,
            fromFile: file,
            delegate: IdleDelegate()
        )
        stage.log("\(third == fourth), \(third == first)")
        for isFile in [true, false] {
            await withCheckedContinuation { continuation in
                let handler: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = {
                    data,
                    _,
                    error in
                    stage.log("\(data == first), \(stage.text(of: error))")
                    continuation.resume()
                }
                let task =
                    isFile
                    ? session.uploadTask(with: request, fromFile: file, completionHandler: handler)
                    : session.uploadTask(with: request, from: body, completionHandler: handler)
                task.resume()
            }
        }
        let log = CallbackLog(stage)
        let logged = URLSession(configuration: .ephemeral, delegate: log, delegateQueue: nil)
        await log.run(logged.uploadTask(with: request, from: body))
        await log.run(logged.uploadTask(with: request, fromFile: file))
        await log.invalidate(logged)
    }

    static func downloads(_ stage: Stage) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let url = stage.url("/text")
        let request = URLRequest(url: url)
        let files = [
            try await session.download(from: url).0,
            try await session.download(for: request).0,
            try await session.download(from: url, delegate: IdleDelegate()).0,
            try await session.download(for: request, delegate: IdleDelegate()).0,
        ]
        stage.log("\(try files.map { try Data(contentsOf: $0).count })")
        for file in files { try? FileManager.default.removeItem(at: file) }
        for byURL in [true, false] {
            await withCheckedContinuation { continuation in
                let handler: @Sendable (URL?, URLResponse?, (any Error)?) -> Void = {
                    file,
                    _,
                    error in
                    let data = file.flatMap { try? Data(contentsOf: $0) }
                    stage.log("\(data?.count ?? -1), \(stage.text(of: error))")
                    continuation.resume()
                }
                let task =
                    byURL
                    ? session.downloadTask(with: url, completionHandler: handler)
                    : session.downloadTask(with: request, completionHandler: handler)
                task.resume()
            }
        }
        let task = session.downloadTask(with: request)
        stage.log("\(task.state.rawValue)")
        task.cancel()
    }

    /// Resumes a download with a completion handler.
    ///
    /// `Downloader` resumes with its delegate instead.
    static func resume(_ session: URLSession, with data: Data) async -> URL? {
        await withCheckedContinuation { continuation in
            let task = session.downloadTask(withResumeData: data) { file, _, _ in
                continuation.resume(returning: file)
            }
            task.resume()
        }
    }
}
