import Posix
import Testing

@testable import BatchFleet

/// The parts in which a large report is stored, without a database.
@Suite struct FleetReportTests {
    private let lease = HostLease(host: 1, token: 1)

    private func report(_ count: Int) -> FleetReport {
        var report = FleetReport()
        report.completions = (0..<count).map { number in
            FleetReport.Completion(
                lease: lease,
                key: FleetFixture.key(number),
                isFetched: true,
                line: "\(number)"
            )
        }
        return report
    }

    @Test("Portions have each result once, in order", arguments: [257, 512, 1000], [256, 300])
    func portionsHaveEachResultOnce(count: Int, size: Int) {
        var rest = report(count)
        var lines: [String] = []
        while rest.isDivided(by: size) {
            #expect(rest.portion(of: size).completions.count == size)
            lines += rest.portion(of: size).completions.map(\.line)
            rest = rest.rest(after: size)
        }
        #expect(!rest.isEmpty)
        lines += rest.completions.map(\.line)
        #expect(lines == (0..<count).map { "\($0)" })
    }

    @Test("Moves are stored with the first portion")
    func movesComeFirst() {
        var report = report(300)
        report.moves = [
            FleetReport.Move(lease: lease, key: FleetFixture.key(9), target: "b", url: "http://b/")
        ]
        #expect(report.portion(of: 256).moves == report.moves)
        #expect(report.rest(after: 256).moves.isEmpty)
    }

    @Test("A report that gives hosts back, or is urgent, is stored as a whole")
    func wholeReportsAreNotDivided() {
        var returning = report(300)
        returning.returned = [lease]
        #expect(!returning.isDivided(by: 256))
        var urgent = report(300)
        urgent.isUrgent = true
        #expect(!urgent.isDivided(by: 256))
        #expect(!report(256).isDivided(by: 256))
    }

    @Test("A finished host is given back once no portion has results of it")
    func finishedHostIsGivenBack() {
        let other = HostLease(host: 2, token: 1)
        var held = HeldHosts()
        let hosts = [lease, other].map {
            LeasedHost(lease: $0, name: "host\($0.host)", pending: 0, feedback: nil)
        }
        held.add(hosts, until: .distantFuture)
        var empty = FleetReport()
        let bounds = SliceBounds(limit: 16)
        _ = held.take([], of: [lease: bounds, other: bounds], report: &empty)
        #expect(Set(held.finished(before: FleetReport())) == [lease, other])
        #expect(held.finished(before: report(300).rest(after: 256)) == [other])
    }
}
