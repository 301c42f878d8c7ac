/// Computes the buffer capacity to reserve for content of an announced length.
///
/// Doubling would use up to twice the content's size and copy it at every step. Reserving the whole
/// announced length would let a server claim any amount of memory. So the capacity grows in steps,
/// each 8 times the previous one. Reserved memory isn't in use until it is written to.
package enum BodyCapacityPolicy {
    private static let first: Int64 = 1 << 20
    /// The steps end with the first one above this, 4 GiB. Content over 8 times that, 32 GiB, grows
    /// by doubling.
    private static let last: Int64 = 1 << 30

    /// The capacity to reserve before `count` bytes are added to `held` bytes.
    ///
    /// Returns nil if the capacity suffices, or no further content is expected.
    package static func capacity(expected: Int64, held: Int, adding count: Int) -> Int? {
        guard expected > count else { return nil }
        if held == 0 { return Int(clamping: min(expected, first)) }
        var step = first
        while step <= held, step < last { step *= 8 }
        guard held + count >= step else { return nil }
        return Int(clamping: min(expected, step * 8))
    }
}
