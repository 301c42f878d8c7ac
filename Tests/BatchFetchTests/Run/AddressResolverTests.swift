import TestSupport
import Testing

@testable import BatchFetch

/// The lookup of hosts for the limit per address.
@Suite(.timeLimit(.minutes(10))) struct AddressResolverTests {
    @Test("Each host is looked up once, at most 16 at a time")
    func hostsAreLookedUp() async throws {
        let running = Watched((now: 0, most: 0))
        let found = EventRecorder<String>()
        let gate = Gate()
        let resolver = AddressResolver { host in
            running.update { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            gate.waitBlocking()
            running.update { $0.now -= 1 }
            return ["address of \(host)"]
        }
        let hosts = (0..<40).map { "host\($0)" }
        for host in hosts { resolver.resolve([host]) { found.record("\($0): \($1)") } }
        try await running.wait { $0.now == 16 ? () : nil }
        gate.open()
        let values = try await found.wait(count: 40)
        #expect(Set(values) == Set(hosts.map { "\($0): [\"address of \($0)\"]" }))
        #expect(running.read { $0.most } == 16)
    }

    @Test("After the end of a run nothing more is looked up, and no lookup is waited for")
    func endDropsPendingLookups() async throws {
        let lookups = EventRecorder<String>()
        let found = EventRecorder<String>()
        let gate = Gate()
        weak var ended: AddressResolver?
        do {
            let resolver = AddressResolver { host in
                lookups.record(host)
                gate.waitBlocking()
                return []
            }
            ended = resolver
            resolver.resolve((0..<20).map { "host\($0)" }) { host, _ in found.record(host) }
            _ = try await lookups.wait(count: 16)
            resolver.end()
            resolver.resolve(["late"]) { host, _ in found.record(host) }
        }
        gate.open()
        // Its threads release it at their end.
        try await Inspection.wait { [weak ended] in ended == nil }
        #expect(lookups.events.count == 16 && found.events.isEmpty)
    }
}
