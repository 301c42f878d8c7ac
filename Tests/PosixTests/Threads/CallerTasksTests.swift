import Posix
import Testing

/// Tasks that another thread starts later on behalf of a caller.
@Suite struct CallerTasksTests {
    @TaskLocal private static var name = "none"

    /// The task-local value that a started task sees. The task that starts it has another value.
    private func found(by tasks: CallerTasks) async -> String {
        await withCheckedContinuation { continuation in
            Task.detached {
                Self.$name.withValue("other") {
                    _ = tasks.start { continuation.resume(returning: Self.name) }
                }
            }
        }
    }

    @Test("A started task has the task-local values of the caller")
    func startedTaskHasTheCallersValues() async {
        let tasks = Self.$name.withValue("caller") { CallerTasks() }
        #expect(await found(by: tasks) == "caller")
        #expect(await found(by: tasks) == "caller")
        #expect(await found(by: CallerTasks()) == "none")
    }

    @Test("A started task still runs after its `CallerTasks` is released")
    func startedTaskRunsAfterRelease() async {
        let name = await withCheckedContinuation { continuation in
            Self.$name.withValue("caller") {
                _ = CallerTasks().start { continuation.resume(returning: Self.name) }
            }
        }
        #expect(name == "caller")
    }

    @Test("Cancelling a started task cancels no other task")
    func cancellingCancelsOneTask() async {
        let tasks = CallerTasks()
        let (endless, feed) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let task = tasks.start {
            begin.yield()
            for await _ in endless {}
            end.yield(Task.isCancelled)
        }
        var iterator = begins.makeAsyncIterator()
        await iterator.next()
        task.cancel()
        var results = ends.makeAsyncIterator()
        #expect(await results.next() == true)
        tasks.start { end.yield(Task.isCancelled) }
        #expect(await results.next() == false)
        extendLifetime(feed)
    }
}
