public import Foundation

/// Why a ``TransferJournal`` can't do what it was asked.
public struct TransferJournalError: Error, Sendable, Hashable {
    /// What kind of failure it is. There may be more of them in later versions.
    public struct Code: Sendable, Hashable {
        private let name: String

        /// Another process, or another journal of this one, has the folder open.
        public static let locked = Code(name: "locked")
        /// The file isn't a journal, or can't be read as one.
        public static let damaged = Code(name: "damaged")
        /// The file was written by another version of the library.
        public static let otherVersion = Code(name: "otherVersion")
        /// The record of a job can't be read.
        public static let damagedJob = Code(name: "damagedJob")
        /// There is a job of that name.
        public static let jobExists = Code(name: "jobExists")
        /// There is no job of that name.
        public static let noSuchJob = Code(name: "noSuchJob")
        /// A request that can't be stored, or not be made again.
        public static let invalidRequest = Code(name: "invalidRequest")
        /// A download can't be put where it is wanted.
        public static let invalidDestination = Code(name: "invalidDestination")
        /// The journal was closed.
        public static let closed = Code(name: "closed")
        /// The journal can't be read from or written to the disk.
        public static let storage = Code(name: "storage")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What was wrong, where, and what to do about it, in English.
    public let message: String
    /// The process that has the journal open, for ``Code/locked``, where it is known.
    public let processIdentifier: Int32?

    init(_ code: Code, _ message: String, processIdentifier: Int32? = nil) {
        self.code = code
        self.message = message
        self.processIdentifier = processIdentifier
    }
}

extension TransferJournalError: CustomStringConvertible, LocalizedError {
    /// What was wrong, where, and what to do about it, in English.
    public var description: String { message }
    /// What was wrong, where, and what to do about it, in English.
    public var errorDescription: String? { message }
}

extension TransferJournalError {
    static let closed = TransferJournalError(
        .closed,
        "The journal was closed. Open it again with TransferJournal(at:manager:)."
    )

    static func noJob(_ id: String) -> TransferJournalError {
        TransferJournalError(.noSuchJob, "The journal has no job “\(id)”.")
    }
}
