import CurlResilience
import Posix
import Testing

@testable import BatchFetch

/// The state of hosts that pass from one process to another.
@Suite struct HostHandoverTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func queues(isAdaptive: Bool = false) -> HostQueues<Int> {
        HostQueues<Int>(
            policies: HostPolicies(usual: HostPolicy(concurrency: 4, interval: .zero)),
            isAdaptive: isAdaptive,
            breaker: BreakerPolicy(threshold: 2, pause: .seconds(5))
        )
    }

    /// Fetches an item, with this feedback of the host.
    private func fetch(
        _ queues: inout HostQueues<Int>,
        _ feedback: HostFeedback,
        pause: Duration? = nil
    ) {
        queues.add(0, host: "a")
        #expect(queues.next(at: start) == 0)
        _ = queues.finished(host: "a", feedback, pause: pause, at: start)
    }

    /// Queues of another process, with three items.
    private func nextProcess(_ queues: HostQueues<Int>, isAdaptive: Bool = false) throws
        -> HostQueues<Int>
    {
        let handover = try #require(queues.handover(of: "a"))
        #expect(HostHandover(text: handover.text) == handover)
        var next = self.queues(isAdaptive: isAdaptive)
        next.restore(HostHandover(text: handover.text), host: "a")
        for item in 1...3 { next.add(item, host: "a") }
        return next
    }

    @Test("A host that has failed too often gets one request, and the others after its success")
    func brokenHostGetsProbe() throws {
        var first = queues()
        fetch(&first, .failing)
        fetch(&first, .failing)
        var second = try nextProcess(first)
        #expect(second.next(at: start) == 1)
        #expect(second.next(at: start) == nil)
        _ = second.finished(host: "a", .healthy(.zero), at: start)
        #expect(second.next(at: start) == 2)
        #expect(second.next(at: start) == 3)
        #expect(second.handover(of: "a") == nil)
    }

    @Test("Failures before the breaker opens count in the next process")
    func failuresAreCounted() throws {
        var first = queues()
        fetch(&first, .failing)
        var second = try nextProcess(first)
        #expect(second.next(at: start) == 1)
        _ = second.finished(host: "a", .failing, at: start)
        #expect(second.next(at: start) == nil)
        #expect(second.nextHoldEnd == start.advanced(by: .seconds(5)))
    }

    @Test("A host gets no more requests at once than the last process had found to be good")
    func adaptiveLimitContinues() throws {
        var first = queues(isAdaptive: true)
        fetch(&first, .overloaded)
        var second = try nextProcess(first, isAdaptive: true)
        #expect(second.next(at: start) == 1)
        #expect(second.next(at: start) == 2)
        #expect(second.next(at: start) == nil)
    }

    @Test("A host that is well again has no state, also where an earlier one was known")
    func recoveredHostIsForgotten() throws {
        var queues = queues()
        fetch(&queues, .failing)
        #expect(queues.handover(of: "a") != nil)
        queues.restore(nil, host: "a")
        #expect(queues.handover(of: "a") == nil)
        #expect(queues.handover(of: "b") == nil)
    }

    @Test("A host's interval is known with and without requests to it")
    func intervalIsKnown() {
        let policy = HostPolicy(concurrency: 4, interval: .seconds(3))
        var queues = HostQueues<Int>(policies: HostPolicies(usual: policy))
        #expect(queues.minimumInterval(of: "a") == .seconds(3))
        queues.add(1, host: "a")
        queues.require(interval: .seconds(7), host: "a")
        #expect(queues.minimumInterval(of: "a") == .seconds(7))
    }

    @Test("A damaged state is no state", arguments: ["", "{", "[]", "{\"rate\":{\"window\":1}}"])
    func damagedStateIsIgnored(text: String) {
        #expect(HostHandover(text: text) == nil)
    }

    @Test("A state with values beyond the limits is corrected")
    func wrongValuesAreCorrected() throws {
        let text = """
            {"rate":{"window":-5,"delay":-1},"breaker":{"failures":-1,"rounds":-2,"waits":-3,\
            "isGivenUp":false,"isOpen":false}}
            """
        var queues = queues(isAdaptive: true)
        let handover = HostHandover(text: text)
        #expect(handover?.rate?.window == -5)
        queues.restore(handover, host: "a")
        queues.add(1, host: "a")
        queues.add(2, host: "a")
        #expect(queues.next(at: start) == 1)
        #expect(queues.next(at: start) == nil)
    }
}
