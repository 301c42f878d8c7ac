public import Foundation

/// An error of a ``TransferJournal``.
public struct TransferJournalError: Error, Sendable, Hashable {
    /// The kind of an error. Later versions may add more.
    public struct Code: Sendable, Hashable {
        private let name: String

        /// Another process, or another journal of this process, has the folder open.
        public static let locked = Code(name: "locked")
        /// The file isn't a journal, or can't be read.
        public static let damaged = Code(name: "damaged")
        /// Another version of the library has written the file.
        public static let otherVersion = Code(name: "otherVersion")
        /// The record of a job can't be read.
        public static let damagedJob = Code(name: "damagedJob")
        /// A job of this name exists.
        public static let jobExists = Code(name: "jobExists")
        /// No job of this name exists.
        public static let noSuchJob = Code(name: "noSuchJob")
        /// The request can't be stored or repeated.
        public static let invalidRequest = Code(name: "invalidRequest")
        /// The destination of a download can't be used.
        public static let invalidDestination = Code(name: "invalidDestination")
        /// The journal is closed.
        public static let closed = Code(name: "closed")
        /// The journal can't be read from disk or written to it.
        public static let storage = Code(name: "storage")
    }

    /// The kind of the error.
    public let code: Code
    /// What is wrong, where, and how to fix it, in English.
    public let message: String
    /// The process that has the journal open.
    ///
    /// It is known for ``Code/locked`` only, and not always.
    public let processIdentifier: Int32?

    init(_ code: Code, _ message: String, processIdentifier: Int32? = nil) {
        self.code = code
        self.message = message
        self.processIdentifier = processIdentifier
    }
}

extension TransferJournalError: CustomStringConvertible, LocalizedError {
    /// What is wrong, where, and how to fix it, in English.
    public var description: String { message }
    /// What is wrong, where, and how to fix it, in English.
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
