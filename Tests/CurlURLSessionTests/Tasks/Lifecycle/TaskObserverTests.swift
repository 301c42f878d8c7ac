internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests which calls of a task's owner its delegate observes.
@Suite(.timeLimit(.minutes(10))) struct TaskObserverTests {
    private final class Observer: NSObject, URLSessionDataDelegate, URLSessionTaskObserver {
        enum Event: Sendable, Equatable {
            case resumed, suspended, completed
        }

        let events = EventRecorder<Event>()

        func taskDidResume(_ task: URLSessionTask) { events.record(.resumed) }
        func taskDidSuspend(_ task: URLSessionTask) { events.record(.suspended) }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) {
            events.record(.completed)
        }
    }

    @Test(arguments: [true, false])
    func observerGetsEffectiveResumesAndSuspends(_ hasItFromTheBeginning: Bool) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let session = URLSession.test()
        let observer = Observer()
        let request = URLRequest(url: try server.at("/"))
        let task: URLSessionTask
        if hasItFromTheBeginning {
            task = session.dataTask(with: request, delegate: observer)
        } else {
            task = session.dataTask(with: request)
            task.delegate = observer
        }
        // After this, the task needs one more `resume` to start.
        task.suspend()
        task.resume()
        task.resume()
        task.resume()
        task.suspend()
        task.resume()
        #expect(observer.events.events == [.resumed, .resumed, .suspended, .resumed])
        gate.open()
        #expect(try await observer.events.wait(count: 5).last == .completed)
        // The delegate observes nothing after the task's completion.
        task.resume()
        #expect(observer.events.events.count == 5)
        session.invalidateAndCancel()
    }

    @Test func taskHasItsDelegateBeforeItCanBeCancelled() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        for _ in 0..<200 {
            let session = URLSession.test()
            let observer = Observer()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    session.dataTask(with: URLRequest(url: url), delegate: observer).resume()
                }
                group.addTask { session.invalidateAndCancel() }
            }
            _ = try await observer.events.first { $0 == .completed }
        }
    }

    @Test func currentTasksAreAvailableAtOnce() async throws {
        let session = URLSession.test()
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let request = URLRequest(url: url)
        let data = session.dataTask(with: request)
        let upload = session.uploadTask(with: request, from: Data())
        let download = session.downloadTask(with: request)
        #expect(session.currentTasks.data == [data])
        #expect(session.currentTasks.upload == [upload])
        #expect(session.currentTasks.download == [download])
        session.invalidateAndCancel()
    }
}
