import Testing

@testable import BatchFetchCommand

@Suite struct LocalPortsTests {
    @Test(arguments: [("32768\t60999\n", 28_232), ("1 10", 10)])
    func moreConnectionsThanPortsGiveAWarning(range: String, count: Int) {
        #expect(LocalPorts.warning(connections: count, range: range) == nil)
        let warning = LocalPorts.warning(connections: count + 1, range: range)
        let limited = "only \(count) connections to one host are possible at once"
        #expect(warning?.contains("\(limited) instead of \(count + 1)") == true)
    }

    @Test(arguments: ["", "x y", "5", "9 3", "1 2 3"])
    func unreadablePortRangeGivesNoWarning(range: String) {
        #expect(LocalPorts.warning(connections: .max, range: range) == nil)
    }
}
