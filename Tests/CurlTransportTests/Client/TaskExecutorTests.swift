internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Tasks on the client's own executor thread.
///
/// The tests run one at a time, because they count threads by name.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TaskExecutorTests {
    private static let name = "curl-tasks"

    private let server: LoopbackServer
    private let client: HTTPClient

    init() throws {
        server = try LoopbackServer { .text($0.path) }
        client = try HTTPClient()
    }

    private func fetch(_ path: String) async throws -> Bool {
        let response = try await client.send(HTTPRequest(url: server.url + path))
        return try await response.body.collect(upTo: 100) == Array(path.utf8)
    }

    @Test func executorThreadStartsOnlyOnUse() async throws {
        #expect(try await fetch("/a"))
        await client.shutdown()
        // Only the tests of this suite start such a thread in this process.
        try await ProcessFacts.threadsEnd(namePrefix: Self.name)
        _ = client.taskExecutor
        #expect(ProcessFacts.threadCount(namePrefix: Self.name) == 0)
    }

    @Test func tasksWithExecutorPreferenceRunOnIt() async throws {
        let threads = try await withTaskExecutorPreference(client.taskExecutor) {
            try await withThrowingTaskGroup { group in
                for place in 0..<64 {
                    group.addTask {
                        var threads: Set<Int32> = [ProcessFacts.threadID]
                        for number in 0..<10 {
                            let isRight = try await fetch("/\(place)/\(number)")
                            #expect(isRight)
                            threads.insert(ProcessFacts.threadID)
                        }
                        return threads
                    }
                }
                return try await group.reduce(into: Set<Int32>()) { $0.formUnion($1) }
            }
        }
        #expect(threads.count == 1)
        #expect(ProcessFacts.threadCount(namePrefix: Self.name) == 1)
        await client.shutdown()
        try await ProcessFacts.threadsEnd(namePrefix: Self.name)
    }

    @Test func otherTasksStayInThePool() async throws {
        let thread = await withTaskExecutorPreference(client.taskExecutor) { ProcessFacts.threadID }
        #expect(try await fetch("/a"))
        #expect(ProcessFacts.threadID != thread)
        await client.shutdown()
    }

    @Test func cancelledTaskOnExecutorEnds() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let task = Task(executorPreference: client.taskExecutor) { [client] in
            try await client.send(HTTPRequest(url: server.url))
        }
        _ = try await server.requestHead(0)
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        await client.shutdown()
    }

    @Test func taskThatShutsClientDownContinuesInPool() async throws {
        let (before, after) = await withTaskExecutorPreference(client.taskExecutor) {
            let before = ProcessFacts.threadID
            await client.shutdown()
            return (before, ProcessFacts.threadID)
        }
        #expect(before != after)
        try await ProcessFacts.threadsEnd(namePrefix: Self.name)
    }

    @Test func noTaskIsLostAtShutdown() async throws {
        for _ in 0..<Rounds.count(50, few: 5) {
            let client = try HTTPClient()
            let begun = Gate()
            let count = await withTaskExecutorPreference(client.taskExecutor) {
                await withTaskGroup { group in
                    for _ in 0..<100 {
                        group.addTask {
                            for round in 0..<20 {
                                if round == 10 { begun.open() }
                                await Task.yield()
                            }
                            return 1
                        }
                    }
                    group.addTask {
                        try? await begun.wait()
                        await client.shutdown()
                        return 1
                    }
                    return await group.reduce(0, +)
                }
            }
            #expect(count == 101)
        }
        try await ProcessFacts.threadsEnd(namePrefix: Self.name)
    }

    @Test func releasedClientEndsExecutorThread() async throws {
        do {
            let client = try HTTPClient()
            let thread = await withTaskExecutorPreference(client.taskExecutor) {
                ProcessFacts.threadID
            }
            #expect(thread != ProcessFacts.threadID)
        }
        await client.shutdown()
        try await ProcessFacts.threadsEnd(namePrefix: Self.name)
    }
}
