/// Runs cases with one client of the library.
protocol CaseRunner: Sendable {
    /// Runs one case; returns the number of its exchanges.
    func run(_ seed: UInt64, report: @escaping @Sendable (String) -> Void) async -> Int
    /// Releases all resources.
    func end() async
}

extension CaseRunner {
    /// A loopback address for each case, so that cases share no connections or state.
    static func authority(_ seed: UInt64, port: UInt16) -> String {
        let number = 1 + seed % 0xff_fffd
        return "127.\(number >> 16).\(number >> 8 & 0xff).\(number & 0xff):\(port)"
    }
}
