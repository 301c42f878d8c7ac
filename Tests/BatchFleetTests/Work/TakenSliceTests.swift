import Posix
import Testing

@testable import BatchFetch
@testable import BatchFleet

/// The URLs that a worker takes of hosts whose leases were lost, without a database.
@Suite struct TakenSliceTests {
    private func lease(_ host: Int) -> HostLease { HostLease(host: host, token: 3) }

    /// A worker with hosts whose last leases were lost.
    private func held(_ hosts: Int..., losses: Int = 2) -> HeldHosts {
        var held = HeldHosts()
        let leased = hosts.map {
            LeasedHost(
                lease: lease($0),
                name: "host\($0)",
                pending: 9,
                feedback: nil,
                losses: losses
            )
        }
        held.add(leased, until: BootTime(nanoseconds: 1_000))
        return held
    }

    /// URLs of a host with these numbers of lost leases.
    private func urls(_ host: Int, _ losses: [Int]) throws -> [QueuedURL] {
        try losses.enumerated().map { number, losses in
            let url = "http://host\(host)/\(number)"
            let job = FetchJob(target: try FetchTarget(url), line: 7, waitingSince: .now)
            return QueuedURL(
                host: host,
                key: "\(host)-\(number)",
                position: QueuePosition(due: "-infinity", ordinal: number),
                attempts: 0,
                url: url,
                details: WorkItem(job).text,
                losses: losses
            )
        }
    }

    /// Takes what the worker may take of URLs, and returns the work.
    private func take(
        _ urls: [QueuedURL],
        of hosts: Int...,
        by held: inout HeldHosts,
        report: inout FleetReport
    ) -> [WorkItem] {
        let slice = held.select(urls)
        return held.take(
            slice.urls,
            of: Dictionary(uniqueKeysWithValues: hosts.map { (lease($0), SliceBounds(limit: 16)) }),
            cuts: slice.cuts,
            report: &report
        )
    }

    /// Completes work, and returns whether that must be stored before the next URL.
    private func complete(_ items: [WorkItem], _ held: inout HeldHosts) -> Bool {
        var report = FleetReport()
        let results = items.map { item in
            var result = BatchResult(url: item.url, line: 1)
            result.requestKey = item.ticket
            return result
        }
        held.complete(results, report: &report)
        return report.isUrgent
    }

    private func isHungry(_ host: Int, _ held: inout HeldHosts, isWaiting: Bool = false) -> Bool {
        held.hungry(minimum: 2, at: .now) { _ in isWaiting }[lease(host)] != nil
    }

    @Test("URLs are noted once two leases in a row were lost", arguments: [(0, 0), (1, 0), (2, 3)])
    func urlsAreNotedAfterLosses(losses: Int, count: Int) throws {
        let slice = held(1, losses: losses).select(try urls(1, [0, 0, 0]))
        #expect(slice.urls.count == 3)
        #expect(slice.noted.count == count)
        #expect(slice.cuts.isEmpty)
        // What was counted before the host was given back doesn't matter.
        let counted = held(1, losses: losses).select(try urls(1, [9, 9]))
        #expect(counted.urls.count == 2)
        #expect(counted.noted.isEmpty)
    }

    @Test("A URL that was taken in a lost lease is fetched without others of its host")
    func suspectIsAloneAtHost() throws {
        var held = held(1, 2)
        var report = FleetReport()
        let queue = try urls(1, [0, 1, 1, 0]) + urls(2, [1, 1])
        var items = take(queue, of: 1, 2, by: &held, report: &report)
        #expect(items.map(\.url) == ["http://host1/0", "http://host2/0"])
        let isHungry1 = isHungry(1, &held)
        #expect(!isHungry1)
        let first = items[0]
        let isUrgent2 = complete([first], &held)
        #expect(!isUrgent2)
        let isHungry3 = isHungry(1, &held)
        #expect(isHungry3)
        let isHungry4 = isHungry(1, &held, isWaiting: true)
        #expect(!isHungry4)
        items = take(Array(queue[1...3]), of: 1, by: &held, report: &report)
        #expect(items.map(\.url) == ["http://host1/1"])
        let isHungry5 = isHungry(1, &held)
        #expect(!isHungry5)
        let isUrgent6 = complete(items, &held)
        #expect(isUrgent6)
        items = take(Array(queue[2...3]), of: 1, by: &held, report: &report)
        #expect(items.map(\.url) == ["http://host1/2"])
        let isUrgent7 = complete(items, &held)
        #expect(isUrgent7)
        items = take(Array(queue[3...3]), of: 1, by: &held, report: &report)
        #expect(items.map(\.url) == ["http://host1/3"])
        let isUrgent8 = complete(items, &held)
        #expect(!isUrgent8)
        #expect(held.finished == [lease(1)])
        #expect(report.isEmpty)
    }

    @Test("A URL that was taken in two lost leases is the only one of that kind in its worker")
    func suspectIsAloneInWorker() throws {
        var held = held(1, 2)
        var report = FleetReport()
        let queue = try urls(1, [2]) + urls(2, [2, 0])
        let first = take(queue, of: 1, 2, by: &held, report: &report)
        #expect(first.map(\.url) == ["http://host1/0"])
        let isHungry9 = isHungry(2, &held)
        #expect(!isHungry9)
        let isUrgent10 = complete(first, &held)
        #expect(isUrgent10)
        let isHungry11 = isHungry(2, &held)
        #expect(isHungry11)
        let second = take(Array(queue[1...]), of: 2, by: &held, report: &report)
        #expect(second.map(\.url) == ["http://host2/0"])
        let third = take([], of: 1, by: &held, report: &report)
        #expect(third.isEmpty)
        #expect(held.finished == [lease(1)])
    }

    @Test("Of several hosts whose next URL must be alone, only one is asked for it")
    func oneHostIsAskedForAloneURL() throws {
        var held = held(1, 2, 3)
        var report = FleetReport()
        let queue = try urls(1, [2]) + urls(2, [2]) + urls(3, [2])
        let first = take(queue, of: 1, 2, 3, by: &held, report: &report)
        #expect(first.map(\.url) == ["http://host1/0"])
        let during = held.hungry(minimum: 2, at: .now)
        #expect(during.isEmpty)
        _ = complete(first, &held)
        let next = held.hungry(minimum: 2, at: .now).keys.count { $0.host > 1 }
        #expect(next == 1)
    }

    @Test("A URL that was taken in three lost leases fails with the number, and the others go on")
    func poisonFails() throws {
        var held = held(1)
        var report = FleetReport()
        let items = take(try urls(1, [3, 0, 4]), of: 1, by: &held, report: &report)
        #expect(items.map(\.url) == ["http://host1/1"])
        #expect(report.completions.map(\.key) == ["1-0", "1-2"])
        let line = try #require(report.completions.first?.line)
        #expect(line.contains("\"code\":\"worker_ended\""), "\(line)")
        #expect(line.contains("the worker ended 3 times while it fetched this URL"), "\(line)")
        #expect(line.contains("\"url\":\"http://host1/0\""), "\(line)")
        #expect(report.completions.allSatisfy { !$0.isFetched })
        #expect(held.inHand == 1)
    }

    @Test("A host whose leases were lost has small slices")
    func watchedSlicesStaySmall() {
        var held = held(1)
        var limits: [Int] = []
        var now = MonotonicTime.now
        for _ in 0..<4 {
            now = now.advanced(by: .seconds(1))
            limits += held.hungry(minimum: 2, at: now).values.map(\.limit)
        }
        #expect(limits == [16, 16, 16, 16])
    }
}
