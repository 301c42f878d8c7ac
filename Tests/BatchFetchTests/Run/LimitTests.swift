import CurlResilience
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The limits of a run, and the timeouts of an attempt.
@Suite(.timeLimit(.minutes(10))) struct LimitTests {
    private func fetch(
        _ urls: [String],
        _ configuration: BatchConfiguration
    ) async throws -> (results: [BatchResult], run: BatchRun) {
        let run = try Batch(configuration).start(.urls(urls))
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        return (results.sorted { $0.line < $1.line }, run)
    }

    @Test func tooLongBodyFails() async throws {
        let server = try LoopbackServer { request in
            Reply(
                body: .repeating([1, 2, 3, 4], times: request.target == "/long" ? 1_000_000 : 250)
            )
        }
        let folder = try TemporaryDirectory()
        var configuration = BatchConfiguration(output: .directory(folder.path))
        configuration.limits.maximumBodyBytes = 1000
        let urls = ["\(server.url)/long", "\(server.url)/short"]
        let (results, _) = try await fetch(urls, configuration)
        #expect(results.map(\.isFetched) == [false, true])
        #expect(results[0].failure?.code == .bodyTooLarge)
        #expect(results[0].attempts == 1)
        #expect(results[0].path == nil)
        #expect(results[1].bytes == 1000)
    }

    @Test func runEndsAtItsTotalLimit() async throws {
        let server = try LoopbackServer { _ in Reply(body: .repeating([0], times: 1000)) }
        var configuration = BatchConfiguration(concurrency: 4)
        configuration.limits.maximumTotalBytes = 20_000
        let urls = (0..<10_000).map { "\(server.url)/\($0)" }
        let (results, run) = try await fetch(urls, configuration)
        #expect(run.stopFailure?.code == .totalReached)
        #expect((17...24).contains(results.count { $0.isFetched }), "\(results.count)")
        #expect(results.count <= 30)
    }

    @Test(arguments: [3000, 2999, 3001], [1, 3])
    func runOfExactlyTheTotalLimitCompletes(limit: Int64, concurrency: Int) async throws {
        let server = try LoopbackServer { _ in Reply(body: .repeating([0], times: 1000)) }
        var configuration = BatchConfiguration(concurrency: concurrency)
        configuration.limits.maximumTotalBytes = limit
        let (results, run) = try await fetch((0..<3).map { "\(server.url)/\($0)" }, configuration)
        #expect(results.allSatisfy { $0.isFetched } == (limit >= 3000))
        #expect(run.stopFailure?.code == (limit >= 3000 ? nil : .totalReached))
    }

    /// Each small body arrives at once, so that no part of it can be delayed.
    @Test func bandwidthLimitAppliesToSmallBodies() async throws {
        let server = try LoopbackServer { _ in Reply(body: .repeating([0], times: 1000)) }
        var configuration = BatchConfiguration(concurrency: 2)
        configuration.limits.bandwidth = 100_000
        let start = ContinuousClock.now
        let (results, _) = try await fetch((0..<40).map { "\(server.url)/\($0)" }, configuration)
        #expect(results.allSatisfy { $0.isFetched })
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func startsAreDelayedForBytesReceivedWithoutAPause() throws {
        final class Flow: FlowControl {
            func resumeReceiving() {}
        }
        let bandwidth = try Bandwidth(bytesPerSecond: 1000)
        defer { bandwidth.end() }
        #expect(bandwidth.behindUntil == nil)
        // These bytes pause their own flow, so starts aren't delayed.
        let now = MonotonicTime.now
        let pause = bandwidth.take(100_000, of: Flow(), at: now)
        #expect(pause != nil && bandwidth.behindUntil == nil)
        bandwidth.ended(with: 50_000, at: now)
        // Twice as long, because another flow is entitled to its share.
        #expect(bandwidth.behindUntil == now.advanced(by: .seconds(100)))
        bandwidth.ended(with: 100_000, pause: pause, at: now)
        #expect(bandwidth.behindUntil == now.advanced(by: .seconds(200)))
    }

    @Test func bandwidthLimitAppliesToConcurrentBodies() async throws {
        let server = try LoopbackServer { _ in Reply(body: .repeating([0], times: 50_000)) }
        var configuration = BatchConfiguration()
        configuration.limits.bandwidth = 500_000
        let start = ContinuousClock.now
        let urls = (0..<6).map { "\(server.url)/\($0)" }
        let (results, _) = try await fetch(urls, configuration)
        #expect(results.allSatisfy { $0.isFetched && $0.bytes == 50_000 })
        // The run doesn't wait after the last piece.
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func eachPhaseHasItsTimeout() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.target == "/late"
                ? .text("late").after(gate)
                : .steps([.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .stall])
        }
        var configuration = BatchConfiguration(retry: .never)
        configuration.timeouts.firstByte = .milliseconds(200)
        var (results, _) = try await fetch(["\(server.url)/late"], configuration)
        #expect(results.first?.failure?.code == .timeout)
        configuration.timeouts.firstByte = nil
        // Long enough for a busy machine to deliver the head and the bytes.
        configuration.timeouts.stall = .seconds(3)
        (results, _) = try await fetch(["\(server.url)/half"], configuration)
        #expect(results.first?.failure?.code == .timeout)
        #expect(results.first?.status == 200)
        #expect(results.first?.bytes == 4)
        gate.open()
    }

    /// Waiting in the queue isn't part of an attempt.
    @Test func timeInTheQueueDoesNotCountTowardsTheTimeout() async throws {
        let server = try LoopbackServer { _ in .text("x").after(.milliseconds(60)) }
        let configuration = BatchConfiguration(
            concurrencyPerHost: 1,
            timeout: .seconds(20),
            retry: .never
        )
        let urls = (0..<10).map { "\(server.url)/\($0)" }
        let (results, _) = try await fetch(urls, configuration)
        #expect(results.allSatisfy { $0.isFetched })
        #expect(results.contains { $0.timings.queue ?? .zero > .milliseconds(300) })
    }

    @Test func retriesAreLimitedToAShareOfAllURLs() async throws {
        let fetcher = ScriptedFetcher { _, _ in
            .failing(.transport, .transfer(isTransient: true, mayHaveReachedServer: true))
        }
        var policy = BatchRetryPolicy(limit: 3, baseDelay: .milliseconds(1))
        policy.budgetReserve = 10
        var configuration = BatchConfiguration(retry: policy)
        configuration.politeness.breaker = nil
        let run = try Batch(configuration).start(
            .urls((0..<1000).map { "http://host\($0)/" }),
            fetcher: fetcher
        )
        var refused = 0
        for await result in run where result.failure?.message.contains("not retried") == true {
            refused += 1
        }
        #expect(run.summary.progress.retries <= 210)
        #expect(run.summary.progress.retries >= 150)
        #expect(refused > 500)
    }

    @Test func invalidLimitsAreRejected() {
        var configurations = [BatchConfiguration](repeating: BatchConfiguration(), count: 4)
        configurations[0].limits.bandwidth = 0
        configurations[1].limits.maximumBodyBytes = -1
        configurations[2].timeouts.connect = .zero
        configurations[3].timeouts.stall = .seconds(-1)
        for configuration in configurations {
            let failure = #expect(throws: BatchFailure.self) {
                try Batch(configuration).start(.urls([]))
            }
            #expect(failure?.code == .configuration)
        }
    }
}
