internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests stream tasks whose streams are captured.
@Suite(.timeLimit(.minutes(10))) struct CaptureTests {
    private struct Scene {
        let server: LoopbackServer
        let delegate = SocketDelegate()
        let session: URLSession
        let task: URLSessionStreamTask

        /// By default the server echoes everything until the client closes its side.
        init(_ steps: [Step] = [.converse { $0.isEmpty ? [] : [.send($0)] }]) throws {
            server = try .scripted(steps)
            session = URLSession.test(delegate: delegate)
            task = session.streamTask(withHostName: "127.0.0.1", port: server.port)
        }
    }

    private func expectLost(
        _ task: URLSessionStreamTask,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let reading = try await urlError {
            _ = try await task.readData(ofMinLength: 1, maxLength: 1, timeout: 0)
        }
        #expect(reading.code == .networkConnectionLost, sourceLocation: sourceLocation)
        let writing = try await urlError { try await task.write(Data([1]), timeout: 0) }
        #expect(writing.code == .networkConnectionLost, sourceLocation: sourceLocation)
    }

    @Test("E10: A stream task can be captured as two streams", arguments: [true, false])
    func capturedStreamTaskBecomesTwoStreams(_ isEarly: Bool) async throws {
        let scene = try Scene()
        if isEarly { scene.task.captureStreams() }
        scene.task.resume()
        if !isEarly {
            try await scene.task.write(Data("ab".utf8), timeout: 0)
            _ = try await scene.task.readData(ofMinLength: 2, maxLength: 2, timeout: 0)
            scene.task.captureStreams()
        }
        let streams = try await scene.delegate.capturedStreams()
        #expect(scene.task.state == .completed && scene.task.error == nil)
        #expect(await scene.session.allTasks.isEmpty)
        try await expectLost(scene.task)
        #expect(streams.input.streamStatus == .notOpen)
        #expect(streams.output.streamStatus == .notOpen)
        let answers = try await streams.onThread { streams in
            let early = (streams.read(1), streams.write("x"))
            streams.input.open()
            streams.output.open()
            let isReady = streams.input.hasBytesAvailable && streams.output.hasSpaceAvailable
            let count = streams.write("hello")
            let text = streams.read(5)
            streams.output.close()
            let end = streams.read(1)
            return (early.0, early.1, isReady, count, text, end)
        }
        #expect(answers == ("", -1, true, 5, "hello", ""))
        #expect(streams.input.streamStatus == .atEnd && streams.input.streamError == nil)
        #expect(streams.output.streamStatus == .closed)
        streams.input.close()
        try await scene.server.connectionClosed(0)
        // The delegate gets no more events before the invalidation.
        scene.session.finishTasksAndInvalidate()
        try await scene.delegate.event(.invalid)
        #expect(scene.delegate.events == [.captured, .invalid])
    }

    @Test func earlierCallsCompleteBeforeTheCapture() async throws {
        let gate = Gate()
        let scene = try Scene([.readHead, .waitFor(gate), .send("abcdef"), .readUntilClosed])
        let served = EventRecorder<String>()
        scene.task.readData(ofMinLength: 3, maxLength: 3, timeout: 0) { data, _, _ in
            #expect(scene.delegate.events.isEmpty)
            served.record(String(decoding: data ?? Data(), as: UTF8.self))
        }
        scene.task.resume()
        scene.task.write(Data("GET / HTTP/1.1\r\n\r\n".utf8), timeout: 0) { error in
            #expect(error == nil)
            served.record("written")
            gate.open()
        }
        scene.task.captureStreams()
        let streams = try await scene.delegate.capturedStreams()
        #expect(served.events == ["written", "abc"])
        #expect(scene.server.requestCount == 1)
        let rest = try await streams.onThread { streams in
            streams.input.open()
            return streams.read(3)
        }
        #expect(rest == "def")
        scene.session.invalidateAndCancel()
    }

    /// Captured streams no longer belong to the session.
    @Test func streamsOutliveTheSession() async throws {
        let scene = try Scene()
        scene.task.resume()
        scene.task.captureStreams()
        let streams = try await scene.delegate.capturedStreams()
        scene.session.invalidateAndCancel()
        try await scene.delegate.event(.invalid)
        let text = try await streams.onThread { streams in
            streams.input.open()
            streams.output.open()
            _ = streams.write("still there")
            return streams.read(11)
        }
        #expect(text == "still there")
    }

    @Test func releasingTheStreamsEndsTheConnection() async throws {
        let scene = try Scene()
        scene.task.resume()
        scene.task.captureStreams()
        _ = try await scene.delegate.capturedStreams()
        try await scene.server.connectionClosed(0)
        scene.session.invalidateAndCancel()
    }

    @Test func failedConnectionFailsTheStreams() async throws {
        let gate = Gate()
        let scene = try Scene([.waitFor(gate), .reset])
        scene.task.resume()
        scene.task.captureStreams()
        let streams = try await scene.delegate.capturedStreams()
        gate.open()
        let (count, status, code) = try await streams.onThread { streams in
            streams.input.open()
            var byte: UInt8 = 0
            let count = streams.input.read(&byte, maxLength: 1)
            let error = streams.input.streamError as? URLError
            return (count, streams.input.streamStatus, error?.code)
        }
        #expect(count == -1 && status == .error && code == .networkConnectionLost)
        scene.session.invalidateAndCancel()
    }

    @Test func taskFailingBeforeCaptureCompletesNormally() async throws {
        let gate = Gate()
        let scene = try Scene([.waitFor(gate), .reset])
        // The capture waits for this read, until the connection fails.
        scene.task.readData(ofMinLength: 1, maxLength: 1, timeout: 0) { _, _, error in
            #expect(error != nil)
        }
        scene.task.resume()
        // After this write, the connection is established.
        try await scene.task.write(Data("a".utf8), timeout: 0)
        scene.task.captureStreams()
        gate.open()
        let code = URLError.Code.networkConnectionLost.rawValue
        #expect(try await scene.delegate.completion() == code)
        #expect(scene.delegate.events == [.metrics(1), .completed(code)])
        scene.session.invalidateAndCancel()
    }

    @Test func taskCancelledBeforeCaptureDeliversNoStreams() async throws {
        let scene = try Scene()
        scene.task.readData(ofMinLength: 1, maxLength: 1, timeout: 0) { _, _, _ in }
        scene.task.resume()
        scene.task.captureStreams()
        scene.task.cancel()
        #expect(try await scene.delegate.completion() == URLError.Code.cancelled.rawValue)
        #expect(!scene.delegate.events.contains(.captured))
        scene.session.invalidateAndCancel()
    }

    @Test(arguments: [true, false])
    func capturedConnectionClosesWithoutAStreamDelegate(_ hasDelegate: Bool) async throws {
        let server = try LoopbackServer.scripted([.converse { $0.isEmpty ? [] : [.send($0)] }])
        let delegate = hasDelegate ? SessionDelegate() : nil
        let session = URLSession.test(delegate: delegate)
        let task = session.streamTask(withHostName: "127.0.0.1", port: server.port)
        task.captureStreams()
        task.resume()
        try await server.connectionClosed(0)
        if let delegate {
            try await delegate.completion()
            #expect(delegate.errors.isEmpty)
        }
        session.invalidateAndCancel()
    }

    @Test func taskWithoutASessionDeliversNoStreams() {
        URLSessionStreamTask().captureStreams()
    }
}
