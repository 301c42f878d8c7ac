import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Limits that several hosts share.
@Suite struct HostGroupsTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ time: Duration) -> MonotonicTime { start.advanced(by: time) }

    private func queues(
        rules: [String] = [],
        perHost: Int = 6,
        perDomain: Int? = nil,
        perAddress: Int? = nil
    ) throws -> HostQueues<String> {
        HostQueues(
            policies: HostPolicies(
                usual: HostPolicy(concurrency: perHost, interval: .zero),
                rules: try rules.map { try HostRule(parsing: $0) }
            ),
            groups: GroupLimits(perDomain: perDomain, perAddress: perAddress)
        )
    }

    private func started(
        _ queues: inout HostQueues<String>,
        at now: MonotonicTime? = nil
    ) -> [String] {
        var items: [String] = []
        while let item = queues.next(at: now ?? start) { items.append(item) }
        return items
    }

    @Test("Given a rule with all, then its limit holds for all matching hosts together, in turn")
    func sharedRuleLimitsAllHostsTogether() throws {
        var queues = try queues(rules: ["*.x.org: all, concurrency=2"])
        let hosts = ["a.x.org:80", "b.x.org:80", "c.x.org:443"]
        for host in hosts { for number in 0..<3 { queues.add("\(host) \(number)", host: host) } }
        queues.add("other", host: "y.org:80")
        var running = started(&queues)
        #expect(running == ["a.x.org:80 0", "b.x.org:80 0", "other"])
        running.removeLast()
        var order: [String] = []
        while !running.isEmpty {
            let item = running.removeFirst()
            order.append(item)
            queues.finished(host: String(item.prefix { $0 != " " }), at: start)
            running += started(&queues)
            #expect(running.count <= 2)
        }
        #expect(order.count == 9)
        // No host waits for another one's last item.
        for host in hosts { #expect(order.prefix(5).contains { $0.hasPrefix(host) }, "\(order)") }
    }

    @Test("Given a rule with each, then its limit holds for each host", arguments: ["each, ", ""])
    func rulesLimitEachHostByDefault(word: String) throws {
        var queues = try queues(rules: ["*.x.org: \(word)concurrency=1"])
        for host in ["a.x.org:80", "b.x.org:80"] {
            for number in 0..<2 { queues.add("\(host) \(number)", host: host) }
        }
        #expect(started(&queues).count == 2)
    }

    @Test("Given a rule for a host with all, then its ports share the limit")
    func portsShareTheLimit() throws {
        var queues = try queues(rules: ["x.org: all, concurrency=1"])
        for host in ["x.org:80", "x.org:443", "x.org:8080"] { queues.add(host, host: host) }
        #expect(started(&queues) == ["x.org:80"])
    }

    @Test("Given a rule with all and a rate, then the starts of all hosts keep its interval")
    func sharedRateSpacesTheStartsOfAllHosts() throws {
        var queues = try queues(rules: ["*.x.org: all, rate=1/s"])
        for host in ["a.x.org:80", "b.x.org:80", "c.x.org:80"] { queues.add(host, host: host) }
        var order: [String] = []
        for second in 0..<3 {
            let now = later(.seconds(second))
            if second > 0 {
                #expect(started(&queues, at: later(.milliseconds(second * 1000 - 1))).isEmpty)
            }
            let items = started(&queues, at: now)
            #expect(items.count == 1)
            order += items
            if second < 2 { #expect(queues.nextHoldEnd == later(.seconds(second + 1))) }
            // The end of an item doesn't shorten the interval.
            for item in items { queues.finished(host: item, at: now) }
        }
        #expect(order == ["a.x.org:80", "b.x.org:80", "c.x.org:80"])
    }

    @Test("The hosts of a registrable domain share the limit per domain")
    func hostsOfADomainShareTheLimit() throws {
        var queues = try queues(perDomain: 2)
        for host in [
            "a.example.co.uk:443", "b.example.co.uk:443", "example.co.uk:80", "other.co.uk:80",
            "10.0.0.1:80", "10.0.0.1:81", "10.0.0.1:82", "11.0.0.1:80", "localhost:1",
            "localhost:2", "localhost:3", "::1:80",
        ] { queues.add(host, host: host) }
        #expect(
            started(&queues) == [
                "a.example.co.uk:443", "b.example.co.uk:443", "other.co.uk:80", "10.0.0.1:80",
                "10.0.0.1:81", "11.0.0.1:80", "localhost:1", "localhost:2", "::1:80",
            ]
        )
        queues.finished(host: "b.example.co.uk:443", at: start)
        #expect(started(&queues) == ["example.co.uk:80"])
    }

    @Test("Hosts wait for their addresses, and those with the same address share a limit")
    func hostsOfAnAddressShareTheLimit() throws {
        var queues = try queues(perAddress: 1)
        for host in ["a:80", "a:81", "b:80", "c:80", "c:81", "192.0.2.1:80"] {
            queues.add(host, host: host)
        }
        // An address needs no lookup.
        #expect(started(&queues) == ["192.0.2.1:80"])
        #expect(queues.takeUnresolved() == ["a", "b", "c"] && queues.takeUnresolved().isEmpty)
        queues.learn(["192.0.2.1", "192.0.2.2"], of: "a", at: start)
        #expect(started(&queues).isEmpty)
        queues.learn(["192.0.2.2"], of: "b", at: start)
        #expect(started(&queues) == ["b:80"])
        // A name that can't be looked up has no limit: the transport reports the failure.
        queues.learn([], of: "c", at: start)
        #expect(started(&queues) == ["c:80", "c:81"])
        queues.finished(host: "192.0.2.1:80", at: start)
        #expect(started(&queues).isEmpty, "the other address of a is in use")
        queues.finished(host: "b:80", at: start)
        #expect(started(&queues) == ["a:80"])
        queues.finished(host: "a:80", at: start)
        #expect(started(&queues) == ["a:81"])
    }

    @Test("The addresses of a host are looked up again a minute later, if it was idle")
    func addressesAreLookedUpAgain() throws {
        var queues = try queues(perAddress: 1)
        for (seconds, isKnown) in [(0, false), (30, true), (61, false)] {
            let now = later(.seconds(seconds))
            #expect(started(&queues, at: now).isEmpty)
            queues.add("x", host: "a:80")
            #expect(queues.takeUnresolved() == (isKnown ? [] : ["a"]))
            if !isKnown { queues.learn(["192.0.2.1"], of: "a", at: now) }
            #expect(started(&queues, at: now) == ["x"])
            queues.finished(host: "a:80", at: now)
            #expect(queues.hostCount == 0)
        }
    }

    @Test("Removing all items leaves no host parked or waiting for its addresses")
    func removingAllForgetsParkedHosts() throws {
        var queues = try queues(perDomain: 1, perAddress: 1)
        for host in ["192.0.2.1:80", "192.0.2.1:81", "a:80"] { queues.add(host, host: host) }
        #expect(started(&queues) == ["192.0.2.1:80"])
        #expect(queues.removeAllWaiting().count == 2)
        queues.learn(["192.0.2.1"], of: "a", at: start)
        queues.finished(host: "192.0.2.1:80", at: start)
        #expect(queues.hostCount == 0 && queues.groups.count == 0)
    }

    /// For any order of events: no limit is exceeded, no item is lost, and no host is forgotten.
    @Test("Random events keep shared limits and start each item", arguments: 0..<20)
    func randomEventsKeepSharedLimits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var queues = try queues(
            rules: ["*.x.org: all, concurrency=3", "*.y.org: all, rate=200/s"],
            perHost: 2,
            perDomain: 4
        )
        let hosts = (0..<9).map { "\($0).\($0 < 5 ? "x" : $0 < 7 ? "y" : "z").org:80" }
        var running: [String] = []
        var (added, count) = (0, 0)
        var now = start
        for _ in 0..<4000 {
            let host = hosts[Int.random(in: 0..<hosts.count, using: &generator)]
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<3:
                queues.add(host, host: host)
                added += 1
            case 3..<5:
                guard let item = queues.next(at: now) else { continue }
                count += 1
                running.append(item)
                #expect(running.count { $0.hasSuffix("x.org:80") } <= 3)
                #expect(running.count { $0.hasSuffix("z.org:80") } <= 4)
                let limit = item.hasSuffix("x.org:80") ? 3 : 2
                #expect(running.count { $0 == item } <= limit)
            case 5..<7:
                guard !running.isEmpty else { continue }
                let index = Int.random(in: 0..<running.count, using: &generator)
                queues.finished(host: running.remove(at: index), at: now)
            default:
                queues.hold(host: host, until: now.advanced(by: .milliseconds(3)))
            }
            now = now.advanced(by: .milliseconds(1))
        }
        var rounds = 0
        while queues.waitingCount > 0 || !running.isEmpty, rounds < 100_000 {
            rounds += 1
            for item in running { queues.finished(host: item, at: now) }
            running = started(&queues, at: now)
            count += running.count
            now = now.advanced(by: .milliseconds(1))
        }
        _ = queues.next(at: now.advanced(by: .seconds(9)))
        #expect(count == added && queues.waitingCount == 0 && queues.hostCount == 0)
    }
}
