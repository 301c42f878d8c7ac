/// How much memory is set aside for content of an announced length.
///
/// Doubling would take up to twice the content, and a copy each time; all at once, a server's word
/// alone would take any amount. So there are steps, each eight times as large as the one before: memory
/// that has been set aside isn't in use before it is written to.
package enum AnnouncedRoom {
    private static let first: Int64 = 1 << 20
    /// What is larger than this times eight grows by doubling.
    private static let last: Int64 = 1 << 30

    /// The capacity to be reserved before `count` bytes are added to `held` ones; nil where there is
    /// enough, or nothing more is expected.
    package static func capacity(expected: Int64, held: Int, adding count: Int) -> Int? {
        guard expected > count else { return nil }
        if held == 0 { return Int(clamping: min(expected, first)) }
        var step = first
        while step <= held, step < last { step *= 8 }
        guard held + count >= step else { return nil }
        return Int(clamping: min(expected, step * 8))
    }
}
