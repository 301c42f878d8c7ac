internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct ProgressTests {
    private struct Seen: Sendable, Equatable {
        let completed: Int64
        let total: Int64

        init(_ completed: Int64, of total: Int64) {
            (self.completed, self.total) = (completed, total)
        }

        init(_ progress: Progress) {
            self.init(progress.completedUnitCount, of: progress.totalUnitCount)
        }
    }

    @Test("T-01, S-36, P-01: A new progress can be cancelled and paused; its total is unknown")
    func aNewTasksProgresses() throws {
        let manager = URLSessionManager.test()
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let task = manager.dataTask(with: URLRequest(url: url), completionHandler: nil)
        let upload = try #require(manager.uploadProgress(for: task))
        let download = try #require(manager.downloadProgress(for: task))
        #expect(upload !== download)
        #expect(manager.uploadProgress(for: task) === upload)
        #expect(manager.downloadProgress(for: task) === download)
        for progress in [upload, download] {
            #expect(progress.isCancellable && progress.isPausable)
            #expect(Seen(progress) == Seen(0, of: -1))
        }
        task.cancel()
    }

    @Test("S-36, T-08: Tasks of other managers and completed tasks have no progress")
    func foreignTasksHaveNoProgress() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let other = URLSessionManager.test()
        let foreign = other.dataTask(with: try server.request(), completionHandler: nil)
        #expect(manager.downloadProgress(for: foreign) == nil)
        let own = manager.session.dataTask(with: try server.request())
        #expect(manager.uploadProgress(for: own) == nil)
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        #expect(manager.downloadProgress(for: task) != nil)
        task.resume()
        _ = try await completions.only()
        #expect(manager.downloadProgress(for: task) == nil)
        foreign.cancel()
        own.cancel()
    }

    @Test("P-02, Q-02, T-10: Each chunk reports the same progress once, on the operation queue")
    func eachChunkReportsProgressOnce() async throws {
        let gate = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"
        let server = try LoopbackServer.scripted([
            .readHead, .send(head), .waitFor(gate), .send("two"), .readUntilClosed,
        ])
        let manager = URLSessionManager.test()
        let delivered = EventRecorder<Seen>()
        let instances = Watched<Set<ObjectIdentifier>>([])
        let order = EventRecorder<Bool>()
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            downloadProgress: { [queue = manager.operationQueue] progress in
                delivered.record(Seen(progress))
                instances.update { _ = $0.insert(ObjectIdentifier(progress)) }
                order.record(OperationQueue.current === queue && completions.events.isEmpty)
                gate.open()
            },
            completionHandler: completions.handler
        )
        let progress = try #require(manager.downloadProgress(for: task))
        task.resume()
        _ = try await completions.only()
        #expect(delivered.events == [Seen(3, of: 6), Seen(6, of: 6)])
        #expect(order.events == [true, true])
        #expect(instances.read { $0 } == [ObjectIdentifier(progress)])
        #expect(progress.fractionCompleted == 1)
    }

    @Test("T-10: Progress is updated without a handler, before it is first requested")
    func aProgressIsKeptWithoutAHandler() async throws {
        let (gate, received) = (Gate(), Gate())
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"
        let server = try LoopbackServer.scripted([
            .readHead, .send(head), .waitFor(gate), .send("two"), .readUntilClosed,
        ])
        let manager = URLSessionManager.test()
        manager.setDataTaskDidReceiveData { _, _, _ in received.open() }
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        try await received.wait()
        // The first request for the progress.
        let progress = try #require(manager.downloadProgress(for: task))
        #expect(Seen(progress) == Seen(3, of: 6))
        gate.open()
        _ = try await completions.only()
        #expect(Seen(progress) == Seen(6, of: 6))
    }

    @Test("P-02, P-06: Without a total length, the fraction stays 0")
    func fractionStaysZeroWithoutALength() async throws {
        let server = try LoopbackServer { request in
            request.path == "/empty" ? .status(200) : .chunked([Array("hello".utf8)])
        }
        let manager = URLSessionManager.test()
        let delivered = EventRecorder<Seen>()
        let fractions = EventRecorder<Double>()
        for path in ["/chunked", "/empty"] {
            _ = try await manager.load(
                server.request(path),
                downloadProgress: { progress in
                    delivered.record(Seen(progress))
                    fractions.record(progress.fractionCompleted)
                }
            )
        }
        // An empty body calls no progress handler.
        #expect(delivered.events == [Seen(5, of: -1)])
        #expect(fractions.events == [0])
    }

    @Test(
        "P-02: The progress of a compressed response can count the compressed bytes",
        .enabled(if: Compression.isAvailable)
    )
    func theProgressOfACompressedResponseGrows() async throws {
        let gate = Gate()
        let packed = try await Compression.compressed(Compression.text(400_000), "gzip")
        let size = Int64(packed.count)
        let half = packed.count / 2
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(size)\r\n\r\n"
        let server = try LoopbackServer.scripted([
            .readHead, .send(Array(head.utf8) + packed[..<half]), .waitFor(gate),
            .send(Array(packed[half...])), .readUntilClosed,
        ])
        let manager = URLSessionManager.test()
        #expect(!manager.downloadProgressCountsEncodedBytes)
        manager.downloadProgressCountsEncodedBytes = true
        let delivered = EventRecorder<Seen>()
        _ = try await manager.load(
            server.request(),
            downloadProgress: { progress in
                delivered.record(Seen(progress))
                if progress.completedUnitCount >= half { gate.open() }
            }
        )
        #expect(delivered.events.contains(Seen(Int64(half), of: size)))
        #expect(delivered.events.last == Seen(size, of: size))
    }

    @Test("P-03, P-07: An upload has upload and download progress, and completes both")
    func anUploadHasBothProgresses() async throws {
        let server = try LoopbackServer { _ in .text("answer") }
        let manager = URLSessionManager.test()
        let sent = EventRecorder<Seen>()
        let completions = EventRecorder<Completion>()
        let body = Data(repeating: 1, count: 3_000_000)
        let task = manager.uploadTask(
            with: try server.request(method: "POST"),
            from: body,
            progress: { sent.record(Seen($0)) },
            completionHandler: completions.handler
        )
        let upload = try #require(manager.uploadProgress(for: task))
        let download = try #require(manager.downloadProgress(for: task))
        task.resume()
        _ = try await completions.only()
        let size = Int64(body.count)
        #expect(sent.events.last == Seen(size, of: size))
        #expect(sent.events.allSatisfy { $0.total == size })
        #expect(upload.fractionCompleted == 1)
        #expect(Seen(download) == Seen(6, of: 6))
    }

    @Test("P-01, Q-16: Cancelling a progress cancels its task")
    func cancellingAProgressCancels() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let manager = URLSessionManager.test()
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        try await server.requests(count: 1)
        manager.downloadProgress(for: task)?.cancel()
        #expect(try await completions.only().code == -999)
    }

    @Test("P-01, Q-16: Pausing and resuming a progress suspends and resumes its task")
    func pausingAProgressSuspends() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let manager = URLSessionManager.test()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        try await server.requests(count: 1)
        let progress = try #require(manager.uploadProgress(for: task))
        progress.pause()
        _ = try await recorder.first(.networkingTaskDidSuspend)
        progress.resume()
        gate.open()
        _ = try await recorder.first(.networkingTaskDidComplete)
        #expect(
            recorder.names == [
                .networkingTaskDidResume, .networkingTaskDidSuspend, .networkingTaskDidResume,
                .networkingTaskDidComplete,
            ]
        )
    }

    @Test("Q-16: The progress of a deallocated task does nothing")
    func progressOfDeallocatedTaskDoesNothing() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let progress: Progress
        weak var task: URLSessionTask?
        let (ended, invalid) = (Gate(), Gate())
        do {
            let manager = URLSessionManager.test()
            manager.setSessionDidBecomeInvalid { _, _ in invalid.open() }
            let made = manager.dataTask(with: try server.request()) { _, _, _ in ended.open() }
            task = made
            progress = try #require(manager.downloadProgress(for: made))
            made.resume()
            try await ended.wait()
        }
        try await invalid.wait()
        // The progress doesn't retain its task. The task's notifications retain it until the main
        // queue has posted them.
        try await Inspection.wait { [weak task] in task == nil }
        #expect(progress.completedUnitCount == 5)
        progress.pause()
        progress.resume()
        progress.cancel()
        #expect(progress.isCancelled)
        #expect(server.requestCount == 1)
    }

    @Test("P-01: The progress of tasks of several managers can have one parent")
    func progressesMayHaveAParent() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let managers = [URLSessionManager.test(), URLSessionManager.test()]
        let parent = Progress(totalUnitCount: 20)
        let completions = EventRecorder<Completion>()
        var tasks: [URLSessionTask] = []
        for number in 0..<20 {
            let manager = managers[number % 2]
            let task = manager.dataTask(
                with: try server.request(),
                completionHandler: completions.handler
            )
            let progress = try #require(manager.downloadProgress(for: task))
            parent.addChild(progress, withPendingUnitCount: 1)
            tasks.append(task)
        }
        for task in tasks { task.resume() }
        _ = try await completions.wait(count: 20)
        #expect(parent.fractionCompleted == 1)
    }
}
