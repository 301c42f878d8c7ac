import Glibc
import Synchronization
import Testing

@testable import Posix

@Suite(.timeLimit(.minutes(10))) struct WorkerTests {
    /// The work of a worker: numbers that its thread moves from one list to another.
    private final class Numbers: Sendable {
        private let pending = Mutex<[Int]>([])
        private let taken = Mutex<[Int]>([])

        func add(_ number: Int) { pending.withLock { $0.append(number) } }

        func take() {
            let numbers = pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
            taken.withLock { $0 += numbers }
        }

        var all: [Int] { taken.withLock { $0 } }
    }

    /// Notifies of its own release.
    private final class Released: Sendable {
        private let notify: @Sendable () -> Void

        init(_ notify: @escaping @Sendable () -> Void) { self.notify = notify }

        deinit { notify() }
    }

    /// Releases an object at the end of a thread, after the thread's closure was released.
    private final class ThreadEnd: Sendable {
        private let key: pthread_key_t

        init() throws {
            var key = pthread_key_t()
            let code = pthread_key_create(&key) { object in
                guard let object else { return }
                Unmanaged<Released>.fromOpaque(object).release()
            }
            guard code == 0 else { throw SystemFailure("pthread_key_create", errno: code) }
            self.key = key
        }

        deinit { pthread_key_delete(key) }

        /// Called on the thread.
        func release(_ object: Released) {
            pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
        }
    }

    @Test func allWorkBeforeTheEndIsDone() async throws {
        for _ in 0..<50 {
            let numbers = Numbers()
            let worker = try Worker(name: "worker-test")
            try worker.startRepeating {
                numbers.take()
                return nil
            }
            await withTaskGroup(of: Void.self) { group in
                for first in 0..<4 {
                    group.addTask {
                        for number in 0..<25 {
                            numbers.add(first * 25 + number)
                            worker.wake()
                        }
                    }
                }
            }
            worker.end()
            #expect(numbers.all.sorted() == Array(0..<100))
        }
    }

    @Test func lastTurnTakesWorkWithoutAWakeUp() async throws {
        let numbers = Numbers()
        let worker = try Worker(name: "worker-test")
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        try worker.startRepeating {
            numbers.take()
            turn.yield()
            return nil
        }
        for await _ in turns.prefix(1) {}
        numbers.add(1)
        worker.end()
        #expect(numbers.all == [1])
    }

    @Test func eachWakeUpIsFollowedByATurn() async throws {
        let numbers = Numbers()
        let worker = try Worker(name: "worker-test")
        let (counts, count) = AsyncStream.makeStream(of: Int.self)
        try worker.startRepeating {
            numbers.take()
            count.yield(numbers.all.count)
            return nil
        }
        var done = counts.makeAsyncIterator()
        for number in 1...100 {
            numbers.add(number)
            worker.wake()
            // A lost wake-up would end this test by its time limit.
            while let count = await done.next(), count < number {}
        }
        worker.end()
        #expect(numbers.all == Array(1...100))
    }

    @Test func wakeUpBeforeTheStartEndsTheFirstWait() async throws {
        let worker = try Worker(name: "worker-test")
        let (results, result) = AsyncStream.makeStream(of: Bool.self)
        worker.wake()
        try worker.start {
            result.yield(worker.wait(until: nil))
            result.finish()
        }
        var all: [Bool] = []
        for await isWoken in results { all.append(isWoken) }
        worker.end()
        #expect(all == [true])
    }

    @Test func turnIsRepeatedAtItsDeadline() async throws {
        let worker = try Worker(name: "worker-test")
        let (turns, turn) = AsyncStream.makeStream(of: MonotonicTime.self)
        let interval = Duration.milliseconds(2)
        try worker.startRepeating {
            let now = MonotonicTime.now
            turn.yield(now)
            return now.advanced(by: interval)
        }
        var starts: [MonotonicTime] = []
        for await start in turns.prefix(4) { starts.append(start) }
        worker.end()
        for (start, next) in zip(starts, starts.dropFirst()) {
            #expect(next >= start.advanced(by: interval))
        }
    }

    @Test func endedWorkerDoesNotWait() throws {
        let worker = try Worker(name: "worker-test")
        let results = Mutex<[Bool]>([])
        try worker.start {
            while worker.wait(until: nil) {}
            for _ in 0..<3 {
                let isWoken = worker.wait(until: nil)
                results.withLock { $0.append(isWoken) }
            }
        }
        worker.end()
        #expect(results.withLock { $0 } == [false, false, false])
        #expect(worker.isEnding)
    }

    @Test func threadStartsOnce() throws {
        let worker = try Worker(name: "worker-test")
        let starts = Atomic(0)
        for _ in 0..<3 { try worker.start { starts.add(1, ordering: .relaxed) } }
        worker.end()
        #expect(starts.load(ordering: .relaxed) == 1)
    }

    @Test func nothingStartsAfterTheEnd() throws {
        let worker = try Worker(name: "worker-test")
        let starts = Atomic(0)
        worker.end()
        try worker.start { starts.add(1, ordering: .relaxed) }
        worker.wake()
        worker.end()
        #expect(starts.load(ordering: .relaxed) == 0)
    }

    @Test func eachEndReturnsAfterTheThread() async throws {
        let worker = try Worker(name: "worker-test")
        let numbers = Numbers()
        try worker.start {
            while worker.wait(until: nil) {}
            for number in 0..<1000 {
                numbers.add(number)
                numbers.take()
            }
        }
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    worker.end()
                    return numbers.all.count
                }
            }
            for await atTheEnd in group { #expect(atTheEnd == 1000) }
        }
    }

    @Test func joinWaitsForTheThreadAndDoesNotEndIt() throws {
        let worker = try Worker(name: "worker-test")
        let numbers = Numbers()
        let isWoken = Atomic(false)
        try worker.start {
            isWoken.store(worker.wait(until: nil), ordering: .relaxed)
            for number in 0..<1000 {
                numbers.add(number)
                numbers.take()
            }
        }
        worker.wake()
        worker.join()
        #expect(numbers.all.count == 1000)
        let hasWoken = isWoken.load(ordering: .relaxed)
        #expect(hasWoken)
        #expect(!worker.isEnding)
    }

    @Test func workerCanStartAfterAFailure() throws {
        let worker = try Worker(name: "worker-test")
        let failure = SystemFailure("pthread_create", errno: EAGAIN)
        #expect(throws: SystemFailure.self) {
            try worker.start({}, with: { (_, _) throws(SystemFailure) in throw failure })
        }
        let starts = Atomic(0)
        try worker.start { starts.add(1, ordering: .relaxed) }
        worker.end()
        #expect(starts.load(ordering: .relaxed) == 1)
    }

    @Test func endReturnsWithoutAThread() throws {
        let worker = try Worker(name: "worker-test")
        let failure = SystemFailure("pthread_create", errno: EAGAIN)
        try? worker.start({}, with: { (_, _) throws(SystemFailure) in throw failure })
        worker.wake()
        worker.join()
        worker.end()
        worker.end()
        #expect(worker.isEnding)
    }

    @Test func endReleasesWhatTheThreadHolds() async throws {
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let worker = try Worker(name: "worker-test")
        let held = Released { release.finish() }
        try worker.start { [held] in
            withExtendedLifetime(held) {
                while worker.wait(until: nil) {}
            }
        }
        worker.end()
        _ = consume held
        for await _ in releases {}
    }

    /// The last reference to the worker is that of its own thread.
    @Test func threadMayReleaseItsWorker() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let atThreadEnd = try ThreadEnd()
        let mayReturn = try Wakeup()
        weak var released: Worker?
        do {
            let worker = try Worker(name: "worker-test")
            released = worker
            try worker.start {
                atThreadEnd.release(Released { end.finish() })
                mayReturn.wait(until: nil)
            }
        }
        #expect(released != nil)
        mayReturn.signal()
        for await _ in ends {}
        #expect(released == nil)
        // Without its key, the thread would release nothing.
        withExtendedLifetime(atThreadEnd) {}
    }
}
