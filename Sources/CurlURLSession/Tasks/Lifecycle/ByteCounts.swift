/// The byte counts of a task: sent, received and expected. -1 if unknown.
struct ByteCounts: Sendable {
    /// The count of encoded bytes of a body that is decoded.
    struct Encoded: Sendable {
        var received: Int64
        var expected: Int64
    }

    var received: Int64 = 0
    var expectedToReceive: Int64 = 0
    /// `nil` if the body isn't decoded.
    var encoded: Encoded?
    var sent: Int64 = 0
    var expectedToSend: Int64 = 0
    /// The expectations that the task's owner has set.
    var clientExpectsToSend: Int64 = -1
    var clientExpectsToReceive: Int64 = -1
    /// The number of bytes sent that was last reported.
    var sentReported: Int64 = 0

    /// The sum of both directions.
    var moved: Int64 { sent + received }

    /// The sum of both directions. -1 if unknown or too large: a server may announce any length.
    var expected: Int64 {
        guard expectedToSend >= 0, expectedToReceive > 0 else { return -1 }
        let (sum, isTooMuch) = expectedToSend.addingReportingOverflow(expectedToReceive)
        return isTooMuch ? -1 : sum
    }
}
