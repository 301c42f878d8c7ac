/// How many bytes of a task have gone which way, and how many are expected; -1 where that isn't known.
struct ByteCounts: Sendable {
    /// Of content that is decoded, as it comes over the connection.
    struct Encoded: Sendable {
        var received: Int64
        var expected: Int64
    }

    var received: Int64 = 0
    var expectedToReceive: Int64 = 0
    /// `nil` where nothing is decoded.
    var encoded: Encoded?
    var sent: Int64 = 0
    var expectedToSend: Int64 = 0
    /// What the task's owner says.
    var clientExpectsToSend: Int64 = -1
    var clientExpectsToReceive: Int64 = -1
    /// What the delegate was told last of bytes that were sent, or written to a file.
    var sentToldOf: Int64 = 0
    var writtenToldOf: Int64 = 0

    /// In both directions.
    var moved: Int64 { sent + received }

    /// In both directions; -1 where that isn't known, or more than can be counted: a server may announce
    /// anything.
    var expected: Int64 {
        guard expectedToSend >= 0, expectedToReceive > 0 else { return -1 }
        let (sum, isTooMuch) = expectedToSend.addingReportingOverflow(expectedToReceive)
        return isTooMuch ? -1 : sum
    }
}
