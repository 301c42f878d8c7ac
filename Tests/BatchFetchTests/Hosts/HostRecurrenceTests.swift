import Posix
import Testing

@testable import BatchFetch

@Suite struct HostRecurrenceTests {
    private let now = MonotonicTime(nanoseconds: 0)

    @Test("Hosts that appear once are rare after some hundred, and no earlier")
    func newHostsBecomeRare() {
        var recurrence = HostRecurrence()
        var count = 0
        while !recurrence.isRare, count < 10_000 {
            recurrence.appeared(host: "host-\(count):80")
            count += 1
        }
        #expect((64...256).contains(count))
    }

    @Test("Hosts that appear again and again aren't rare", arguments: [1, 60, 1000])
    func recurringHostsAreNotRare(hosts: Int) {
        var recurrence = HostRecurrence()
        for number in 0..<20_000 { recurrence.appeared(host: "host-\(number % hosts):80") }
        #expect(!recurrence.isRare)
        // A part of a list with many new hosts changes that, and back again.
        for number in 0..<1000 { recurrence.appeared(host: "new-\(number):80") }
        #expect(recurrence.isRare)
        for number in 0..<20_000 { recurrence.appeared(host: "host-\(number % hosts):80") }
        #expect(!recurrence.isRare)
    }

    @Test("Hosts that appear again after 100,000 others are rare")
    func lateHostsAreRare() {
        var recurrence = HostRecurrence()
        for number in 0..<300_000 { recurrence.appeared(host: "host-\(number % 100_000):80") }
        #expect(recurrence.isRare)
    }

    @Test("With many hosts, the connection of a host's last item isn't needed")
    func lastItemNeedsNoConnection() {
        var queues = HostQueues<Int>(limitPerHost: 2)
        for host in 0..<300 {
            queues.add(host, host: "host-\(host)")
            #expect(queues.next(at: now) == host)
            if host == 0 { #expect(queues.needsConnection(host: "host-0"), "too few hosts") }
            if host == 299 { #expect(!queues.needsConnection(host: "host-299")) }
            queues.finished(host: "host-\(host)")
        }
        for item in 0..<3 { queues.add(item, host: "several") }
        #expect(queues.next(at: now) == 0)
        #expect(queues.needsConnection(host: "several"), "others are queued")
        #expect(queues.next(at: now) == 1)
        #expect(!queues.needsConnection(host: "several"), "the first one's is enough")
        queues.recordsLowQueues = true
        #expect(queues.needsConnection(host: "several"), "others may be on disk")
        queues.finished(host: "several")
        #expect(queues.next(at: now) == 2)
        #expect(!queues.needsConnection(host: "several"), "nothing is queued")
    }

    @Test("A redirect or a retry doesn't count as another URL of the host")
    func repetitionsAreNotAppearances() {
        var queues = HostQueues<Int>(limitPerHost: 2)
        for item in 0..<300 {
            let host = "host-\(item)"
            for isFirst in [false, true] {
                queues.add(item, host: host, isFirst: isFirst)
                #expect(queues.next(at: now) == item)
                if item == 299 { #expect(!queues.needsConnection(host: host)) }
                queues.finished(host: host)
            }
        }
    }

    @Test("With few hosts, connections are kept after a host's last item")
    func fewHostsKeepConnections() {
        var queues = HostQueues<Int>(limitPerHost: 2)
        for item in 0..<1000 {
            let host = "host-\(item % 20)"
            queues.add(item, host: host)
            #expect(queues.next(at: now) == item)
            #expect(queues.needsConnection(host: host))
            queues.finished(host: host)
        }
    }
}
