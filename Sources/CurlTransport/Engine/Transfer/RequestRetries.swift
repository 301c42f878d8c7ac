/// The retries of one request of a transfer. A redirect's request has its own.
///
/// Each waiting transfer has them, so the counts are small.
struct RequestRetries {
    /// The maximum number of retries because a connection was lost, the same as libcurl's.
    static let maximumLosses: UInt8 = 5

    /// The maximum number of new connections because of unsolicited bytes on the previous ones.
    private static let maximumUnsolicited: UInt8 = 5

    /// The connection of a retry.
    enum Repetition {
        case anyConnection
        case newConnection
    }

    /// How the current attempt is retried after its end; nil if it isn't.
    var repetition: Repetition?

    /// Whether the current attempt ends because it found no free stream.
    var lacksStream = false

    /// Whether the next attempt needs a new connection.
    private(set) var needsNewConnection = false

    /// Whether the delegate was notified that a repeated request was sent.
    var isRequestReported = false

    /// The number of retries because a connection was lost.
    private(set) var lossCount: UInt8 = 0

    /// The number of retries because of unsolicited bytes on the connection.
    private var unsolicitedCount: UInt8 = 0

    /// Counts a lost connection, of at most ``maximumLosses``, and chooses the connection of the retry.
    mutating func connectionLost() -> Repetition {
        lossCount += 1
        // Another idle connection of the same age may be lost in the same way.
        return lossCount == 1 ? .anyConnection : .newConnection
    }

    /// Counts a connection with unsolicited bytes. Returns whether another one may be opened.
    mutating func noteUnsolicitedBytes() -> Bool {
        guard unsolicitedCount < Self.maximumUnsolicited else { return false }
        unsolicitedCount += 1
        return true
    }

    /// Prepares the retry of the attempt that has ended. Returns false if there is none.
    mutating func begin() -> Bool {
        guard let repetition else { return false }
        needsNewConnection = repetition == .newConnection
        self.repetition = nil
        return true
    }
}
