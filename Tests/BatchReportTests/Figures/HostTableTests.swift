import Testing

@testable import BatchFetch
@testable import BatchReport

@Suite struct HostTableTests {
    private func sample(_ url: String, milliseconds: Int, failed: Bool = false) -> ReportSample {
        var sample = ReportSample()
        sample.url = url
        sample.failure = failed ? ("timeout", "too late") : nil
        sample.timings.total = .milliseconds(milliseconds)
        return sample
    }

    @Test func slowestHostsComeFirst() {
        var table = HostTable()
        for number in 0..<100 {
            table.add(sample("https://fast.example/\(number)", milliseconds: 10))
            table.add(sample("https://user:pw@SLOW.example:8443/\(number)", milliseconds: 900))
            table.add(sample("http://bad.example/", milliseconds: 5, failed: true))
            table.add(sample("no url", milliseconds: 5000))
        }
        #expect(table.slowest(5).map(\.host) == ["slow.example:8443", "fast.example"])
        #expect(table.mostFailed(5).map(\.host) == ["bad.example"])
        #expect(table.slowest(1).first?.figures.count == 100)
    }

    @Test func slowestHostsAreKeptWhenTheTableIsFull() {
        var table = HostTable(capacity: 100)
        for number in 0..<10_000 {
            table.add(sample("https://h\(number).example/", milliseconds: 1))
            if number % 1000 == 0 {
                table.add(sample("https://slow\(number).example/", milliseconds: 1000))
            }
        }
        #expect(table.figures.count <= 100)
        #expect(table.slowest(10).allSatisfy { $0.host.hasPrefix("slow") })
        #expect(table.forgotten > 0)
    }
}
