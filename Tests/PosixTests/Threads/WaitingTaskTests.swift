import Synchronization
import Testing

@testable import Posix

struct WaitingTaskTests {
    @Test func waitingTaskGetsItsValue() async {
        let value = await WaitingTask<Int>.wait { task in task.resume(returning: 7) }
        #expect(value == 7)
    }

    @Test func taskWaitsUntilResumed() async {
        let kept = Mutex<WaitingTask<String>?>(nil)
        let (steps, sink) = AsyncStream.makeStream(of: Void.self)
        async let value = WaitingTask<String>.wait { task in
            var task = Optional(task)
            kept.withLock { $0 = task.take() }
            sink.finish()
        }
        for await _ in steps {}
        let task = kept.withLock { $0.take() }
        if let task { task.resume(returning: "resumed") }
        let result = await value
        #expect(result == "resumed")
    }
}
