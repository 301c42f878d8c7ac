internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The calls of adapters and retriers, and the effects of their results.
@Suite(.timeLimit(.minutes(10))) struct InterceptorTests {
    @Test("A-11: A task is retried until its retrier stops, and completes once")
    func taskIsRetriedUntilItsRetrierStops() async throws {
        let server = try LoopbackServer.replying(.status(503), .status(503), .text("hello"))
        let manager = URLSessionManager.strict(Retrier.times(5))
        let (metrics, over) = (EventRecorder<Int>(), Watched(0))
        manager.setTaskDidFinishCollectingMetrics { _, _, collected in
            metrics.record(collected.transactionMetrics.count)
        }
        manager.setTaskDidComplete { _, _, _ in over.update { $0 += 1 } }
        let completion = try await manager.load(server.request())
        #expect(completion.text == "hello")
        #expect(completion.status == 200)
        #expect(completion.error == nil)
        #expect(server.requestCount == 3)
        #expect(metrics.events == [3])
        #expect(over.read { $0 } == 1)
        #expect(manager.tasks.isEmpty)
    }

    @Test("A-11: The failure of the last attempt is reported")
    func lastAttemptsFailureIsReported() async throws {
        let server = try LoopbackServer.replying(
            .text("one", status: 503),
            .text("two", status: 502)
        )
        let manager = URLSessionManager.strict(Retrier.times(1))
        let completion = try await manager.load(server.request())
        #expect(completion.error as? Refusal == Refusal(status: 502))
        #expect(completion.text == "two")
        #expect(completion.status == 502)
        #expect(server.requestCount == 2)
    }

    @Test("A-11: Each attempt adapts the task's original request")
    func eachAttemptIsAdapted() async throws {
        let server = try LoopbackServer.replying(.status(503), .text("hello"))
        let asked = EventRecorder<Asked>()
        let manager = URLSessionManager.strict()
        manager.interceptor = Interceptor(
            adapters: [ScriptedInterceptor(name: "a", asked: asked, field: "X-By")],
            retriers: [Retrier.times(1)],
            interceptors: [ScriptedInterceptor(name: "b", asked: asked, field: "X-By")]
        )
        let completion = try await manager.load(server.request())
        #expect(completion.text == "hello")
        #expect(server.requests.map { $0.header("X-By") } == ["a,b", "a,b"])
        #expect(
            asked.events == [
                .adapt("a", retryCount: 0), .adapt("b", retryCount: 0),
                .adapt("a", retryCount: 1), .adapt("b", retryCount: 1),
            ]
        )
    }

    @Test("A-11: The manager's interceptor is called before the task's")
    func managersInterceptorIsCalledFirst() async throws {
        let server = try LoopbackServer.replying(.status(503))
        let asked = EventRecorder<Asked>()
        let manager = URLSessionManager.strict(
            ScriptedInterceptor(name: "manager", asked: asked, field: "X-By")
        )
        let completions = EventRecorder<Completion>()
        let task = try manager.dataTask(
            with: server.request(),
            completionHandler: completions.handler
        )
        let own = ScriptedInterceptor(name: "task", asked: asked, field: "X-By")
        manager.setInterceptor(own, for: task)
        task.resume()
        #expect(try await completions.only().error as? Refusal == Refusal(status: 503))
        #expect(
            asked.events == [
                .adapt("manager", retryCount: 0), .adapt("task", retryCount: 0),
                .retry("manager", retryCount: 0), .retry("task", retryCount: 0),
            ]
        )
        #expect(server.requests.map { $0.header("X-By") } == ["manager,task"])
    }

    @Test("A-11: The first retrier with a decision ends the round")
    func firstRetrierWithADecisionEndsTheRound() async throws {
        let server = try LoopbackServer.replying(.status(503))
        let asked = EventRecorder<Asked>()
        let refusal = Refusal(status: 1)
        let manager = URLSessionManager.strict(
            Interceptor(retriers: [
                ScriptedInterceptor(name: "a", asked: asked),
                ScriptedInterceptor(
                    name: "b",
                    asked: asked,
                    result: .doNotRetryWithError(refusal)
                ),
                ScriptedInterceptor(name: "c", asked: asked, result: .retry),
            ])
        )
        let completion = try await manager.load(server.request())
        #expect(completion.error as? Refusal == refusal)
        #expect(
            asked.events == [.retry("a", retryCount: 0), .retry("b", retryCount: 0)]
        )
    }

    @Test("A-11: If an adapter throws, the retriers are asked")
    func retriersAreAskedWhenAnAdapterThrows() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let adapter = Adapter { request, attempt in
            guard attempt.retryCount > 0 else { throw Refusal(status: 7) }
            return request
        }
        let manager = URLSessionManager.strict(adapter)
        let failed = try await manager.load(server.request())
        #expect(failed.error as? Refusal == Refusal(status: 7))
        #expect(failed.response == nil)
        #expect(server.requestCount == 0)
        manager.interceptor = Interceptor(retriers: [Retrier.times(1)], interceptors: [adapter])
        #expect(try await manager.load(server.request()).text == "hello")
    }

    @Test("A-11: A retrier gets the number, the requests and the response of each attempt")
    func retrierGetsTheAttempt() async throws {
        let server = try LoopbackServer { request in
            request.path == "/from" ? .redirect(to: "/to") : .status(503)
        }
        let seen = EventRecorder<RequestAttempt>()
        let manager = URLSessionManager.strict(
            Retrier { attempt, _ in
                seen.record(attempt)
                return attempt.retryCount < 1 ? .retry : .doNotRetry
            }
        )
        _ = try await manager.load(server.request("/from"))
        #expect(seen.events.map(\.retryCount) == [0, 1])
        #expect(seen.events.map(\.statusCode) == [503, 503])
        #expect(seen.events.map { $0.originalRequest?.url?.path } == ["/from", "/from"])
        #expect(seen.events.map { $0.currentRequest?.url?.path } == ["/to", "/to"])
        #expect(seen.events.allSatisfy { $0.manager === manager && $0.task != nil })
        #expect(server.requests.map(\.path) == ["/from", "/to", "/from", "/to"])
        // Breaks a reference cycle: the attempts retain the manager, and the interceptor retains
        // the attempts.
        manager.interceptor = nil
    }

    @Test("A-11: If a request can't be built, a retrier can replace the failure handler's error")
    func retrierReplacesErrorWhenRequestCannotBeBuilt() async throws {
        let manager = HTTPSessionManager.forTest()
        let asked = EventRecorder<Asked>()
        manager.interceptor = ScriptedInterceptor(
            name: "m",
            asked: asked,
            result: .doNotRetryWithError(Refusal(status: 3))
        )
        let outcomes = EventRecorder<VerbOutcome>()
        let task = manager.get(
            "",
            success: outcomes.success,
            failure: outcomes.failure
        )
        #expect(task == nil)
        let outcome = try await outcomes.only()
        #expect(outcome.task == nil)
        #expect(outcome.error as? Refusal == Refusal(status: 3))
        #expect(asked.events == [.retry("m", retryCount: 0)])
    }

    @Test("A-11: If an async request can't be built, a retrier can have it built again")
    func retrierRebuildsAsyncRequestThatCannotBeBuilt() async throws {
        let manager = HTTPSessionManager.forTest()
        let counts = EventRecorder<Int>()
        manager.interceptor = Retrier { attempt, _ in
            counts.record(attempt.retryCount)
            #expect(attempt.task == nil)
            return attempt.retryCount < 2 ? .retryWithDelay(0.001) : .doNotRetry
        }
        await #expect(throws: (any Error).self) {
            try await manager.object(withHTTPMethod: .get, urlString: "")
        }
        #expect(counts.events == [0, 1, 2])
    }
}
