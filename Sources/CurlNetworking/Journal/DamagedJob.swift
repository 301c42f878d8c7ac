/// A job whose record can't be read: it isn't done, and all others are.
public struct DamagedJob: Sendable, Hashable {
    /// Where it stands among the jobs of the journal, from 1; by it ``TransferJournal/removeDamaged(_:)``
    /// knows it.
    public let number: Int
    /// The job's name, as it can be read; it may be wrong.
    public let id: String
    /// What is wrong and what to do about it, in English.
    public let message: String
}
