import CurlURLSession
import Dispatch
import Foundation
import TestSupport
import Testing

/// How loads end: `stopLoading` is called once, and nothing is heard any more.
@Suite(.timeLimit(.minutes(10)))
struct ProtocolEndTests {
    private let stops = EventRecorder<String>()

    private func url(_ start: @escaping ScriptedMock.Action) throws -> URL {
        try ScriptedMock.url(stop: { [stops] _ in stops.record("stop") }, start: start)
    }

    @Test func aLoadThatFinishedIsStoppedOnce() async throws {
        let url = try url { $0.answer("a") }
        let mocks = MockSession()
        #expect(try await mocks.text(url).0 == "a")
        #expect(try await mocks.text(url).0 == "a")
        #expect(try await stops.wait(count: 2).count == 2)
    }

    @Test func aLoadThatFailedIsStoppedOnce() async throws {
        let url = try url { mock in
            mock.fail(URLError(.cannotConnectToHost))
            mock.fail(URLError(.timedOut))
        }
        let mocks = MockSession()
        await #expect(throws: URLError(.cannotConnectToHost)) { try await mocks.text(url) }
        #expect(try await stops.wait(count: 1).count == 1)
    }

    @Test func aCancelledLoadIsStoppedOnceAndNotHeardAnyMore() async throws {
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

    @Test func cancellingWhoAwaitsStopsTheLoad() async throws {
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

    @Test func aTaskThatWasCancelledBeforeItBeganStartsNothing() async throws {
        let url = try url { [stops] _ in stops.record("start") }
        let journal = TaskJournal()
        let mocks = MockSession(delegate: journal)
        let task = mocks.session.dataTask(with: url)
        task.cancel()
        task.resume()
        #expect(try await journal.entriesToEnd().last == "completed -999")
        // Had something been started, it would come before this.
        let other = try ScriptedMock.url { $0.answer("other") }
        #expect(try await MockSession().text(other).0 == "other")
        #expect(stops.events.isEmpty)
    }

    @Test func invalidatingTheSessionStopsWhatItLoads() async throws {
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

    @Test func carelessProtocolsAreHeardOnce() async throws {
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
        // The session works on, and nothing was told late.
        let other = try ScriptedMock.url { $0.answer("b") }
        #expect(try await mocks.text(other).0 == "b")
        #expect(journal.entries.events.filter { $0.hasPrefix("completed") }.count == 1)
    }

    @Test func aMockThatNeverAnswersTimesOut() async throws {
        let url = try url { _ in }
        let mocks = MockSession { $0.timeoutIntervalForResource = 0.2 }
        let error = await #expect(throws: URLError.self) { try await mocks.text(url) }
        #expect(error?.code == .timedOut)
        #expect(try await stops.wait(count: 1) == ["stop"])
    }

    @Test func whatIsSaidFromManyThreadsAtOnceEndsTheLoadOnce() async throws {
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

    @Test func protocolsAreLetGo() async throws {
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
