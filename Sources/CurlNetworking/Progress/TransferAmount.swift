/// How far one direction of a task has come.
public struct TransferAmount: Sendable, Hashable {
    /// Bytes that were transferred.
    public let completed: Int64
    /// How many there are; -1 where that isn't known.
    public let total: Int64

    /// Creates an amount.
    public init(completed: Int64, total: Int64) {
        self.completed = completed
        self.total = total
    }

    /// From 0 to 1; 0 where the total isn't known, and where there is nothing to transfer.
    public var fractionCompleted: Double {
        total > 0 ? Double(completed) / Double(total) : 0
    }

    /// Of a task that hasn't begun.
    static let none = TransferAmount(completed: 0, total: -1)

    /// Of a task that may not have begun, and then expects nothing.
    init(completed: Int64, expected: Int64) {
        self.init(completed: completed, total: completed == 0 && expected == 0 ? -1 : expected)
    }
}
