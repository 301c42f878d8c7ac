import CurlURLSession
import Dispatch
import Foundation
import TestSupport
import Testing

/// Tests that each load calls `stopLoading` once, and ignores later client calls.
@Suite(.timeLimit(.minutes(10)))
struct ProtocolEndTests {
    private let stops = EventRecorder<String>()

    private func url(_ start: @escaping ScriptedMock.Action) throws -> URL {
        try ScriptedMock.url(stop: { [stops] _ in stops.record("stop") }, start: start)
    }

    @Test func finishedLoadIsStoppedOnce() async throws {
        let url = try url { $0.answer("a") }
        let mocks = MockSession()
        #expect(try await mocks.text(url).0 == "a")
        #expect(try await mocks.text(url).0 == "a")
        #expect(try await stops.wait(count: 2).count == 2)
    }

    @Test func failedLoadIsStoppedOnce() async throws {
        let url = try url { mock in
            mock.fail(URLError(.cannotConnectToHost))
            mock.fail(URLError(.timedOut))
        }
        let mocks = MockSession()
        await #expect(throws: URLError(.cannotConnectToHost)) { try await mocks.text(url) }
        #expect(try await stops.wait(count: 1).count == 1)
    }

    @Test func cancelledLoadIsStoppedOnceAndThenIgnored() async throws {
        let (started, stopped) = (EventRecorder<ScriptedMock>(), Gate())
        let url = try ScriptedMock.url(
            stop: { [stops] mock in
                stops.record("stop")
                mock.answer("too late")
                stopped.open()
            },
            start: { started.record($0) }
        )
        let journal = TaskJournal()
        let mocks = MockSession(delegate: journal)
        let task = mocks.session.dataTask(with: url)
        task.resume()
        let mock = try await started.wait(count: 1)[0]
        task.cancel()
        task.cancel()
        try await stopped.wait()
        mock.answer("much too late")
        #expect(try await journal.entriesToEnd() == ["metrics", "completed -999"])
        #expect(task.state == .completed)
        #expect(stops.events == ["stop"])
    }

    @Test func cancellingTheSwiftTaskStopsTheLoad() async throws {
        let started = Gate()
        let url = try url { _ in started.open() }
        let mocks = MockSession()
        let waiting = Task { try await mocks.text(url).0 }
        try await started.wait()
        waiting.cancel()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        #expect(try await stops.wait(count: 1) == ["stop"])
    }

    @Test func taskCancelledBeforeItsStartCreatesNoProtocol() async throws {
        let url = try url { [stops] _ in stops.record("start") }
        let journal = TaskJournal()
        let mocks = MockSession(delegate: journal)
        let task = mocks.session.dataTask(with: url)
        task.cancel()
        task.resume()
        #expect(try await journal.entriesToEnd().last == "completed -999")
        // If a load had been started, it would come before this one.
        let other = try ScriptedMock.url { $0.answer("other") }
        #expect(try await MockSession().text(other).0 == "other")
        #expect(stops.events.isEmpty)
    }

    @Test func invalidatingTheSessionStopsItsLoads() async throws {
        let started = Gate()
        let url = try url { _ in started.open() }
        let journal = TaskJournal()
        let mocks = MockSession(delegate: journal)
        mocks.session.dataTask(with: url).resume()
        try await started.wait()
        mocks.session.invalidateAndCancel()
        #expect(try await journal.entriesToEnd().last == "completed -999")
        #expect(try await stops.wait(count: 1) == ["stop"])
    }

    @Test func repeatedProtocolCallsCountOnce() async throws {
        let url = try url { mock in
            mock.respond(200)
            mock.respond(500)
            mock.load("a")
            mock.finish()
            mock.finish()
            mock.fail(URLError(.unknown))
            mock.load("b")
        }
        let journal = TaskJournal()
        let mocks = MockSession(delegate: journal)
        mocks.session.dataTask(with: url).resume()
        let expected = ["response 200", "data a", "metrics", "completed"]
        #expect(try await journal.entriesToEnd() == expected)
        #expect(try await stops.wait(count: 1) == ["stop"])
        // The session still works, and no late event was delivered.
        let other = try ScriptedMock.url { $0.answer("b") }
        #expect(try await mocks.text(other).0 == "b")
        #expect(journal.entries.events.filter { $0.hasPrefix("completed") }.count == 1)
    }

    @Test func mockThatNeverAnswersTimesOut() async throws {
        let url = try url { _ in }
        // Long enough for a busy machine to start the mock.
        let mocks = MockSession { $0.timeoutIntervalForResource = 3 }
        let error = await #expect(throws: URLError.self) { try await mocks.text(url) }
        #expect(error?.code == .timedOut)
        #expect(try await stops.wait(count: 1) == ["stop"])
    }

    @Test func concurrentProtocolCallsEndTheLoadOnce() async throws {
        let url = try url { mock in
            DispatchQueue.concurrentPerform(iterations: 6) { number in
                mock.respond(200 + number)
                mock.load("a")
                if number.isMultiple(of: 2) {
                    mock.finish()
                } else {
                    mock.fail(URLError(.networkConnectionLost))
                }
                mock.load("b")
            }
        }
        let mocks = MockSession()
        let request = URLRequest(url: url)
        for _ in 0..<50 {
            // A second completion would trap.
            let completion = await mocks.complete(request)
            if let error = completion.error {
                #expect((error as? URLError)?.code == .networkConnectionLost)
            } else {
                #expect((completion.response as? HTTPURLResponse)?.statusCode ?? 0 >= 200)
            }
        }
        #expect(try await stops.wait(count: 50).count == 50)
    }

    @Test func protocolsAreReleased() async throws {
        let released = Gate()
        let url = try url { mock in
            mock.keep(Witness { released.open() })
            mock.answer("a")
        }
        let mocks = MockSession()
        _ = try await mocks.text(url)
        try await released.wait()
    }
}
