/// The progress of one direction of a task, in bytes.
public struct ByteProgress: Sendable, Hashable {
    /// The number of bytes that were transferred.
    public let completed: Int64
    /// The expected number of bytes; -1 if it is unknown.
    public let total: Int64

    /// Creates an amount.
    public init(completed: Int64, total: Int64) {
        self.completed = completed
        self.total = total
    }

    /// The completed fraction from 0 to 1.
    ///
    /// It is 0 if the total is unknown or 0.
    public var fractionCompleted: Double {
        total > 0 ? Double(completed) / Double(total) : 0
    }

    /// The amount of a task that hasn't started.
    static let none = ByteProgress(completed: 0, total: -1)

    /// Creates an amount.
    ///
    /// The total is -1 if both numbers are 0, before the task starts.
    init(completed: Int64, expected: Int64) {
        self.init(completed: completed, total: completed == 0 && expected == 0 ? -1 : expected)
    }
}
