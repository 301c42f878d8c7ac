internal import CurlURLSession
internal import Foundation
internal import Posix

/// A job's row in the table.
struct JournalRow: Sendable {
    let sequence: Int
    let id: String
    let state: String
    /// The column `delivered`: 1 if the completion was delivered, otherwise 0.
    let delivered: Int
    let record: Data
    let checksum: Int

    /// The columns in the order that ``init(_:)`` reads.
    static let columns = "sequence, id, state, delivered, record, checksum"

    init(_ row: borrowing SQLiteConnection.Row) {
        sequence = row.integer(0)
        id = String(decoding: row.blob(1), as: UTF8.self)
        state = String(decoding: row.blob(2), as: UTF8.self)
        delivered = row.integer(3)
        record = row.blob(4)
        checksum = row.integer(5)
    }

    init(_ job: TransferJob) throws {
        sequence = job.sequence
        id = job.id
        state = job.state.rawValue
        delivered = job.isDelivered ? 1 : 0
        record = try job.record()
        checksum = Self.checksum(id, state, delivered, record)
    }

    /// Detects every change of a single byte. SQLite checks its own structures, but not the stored
    /// values.
    private static func checksum(
        _ id: String,
        _ state: String,
        _ delivered: Int,
        _ record: Data
    ) -> Int {
        let parts: [Data] = [
            Data(id.utf8), Data(state.utf8), Data([delivered == 0 ? 0 : 1]), record,
        ]
        var hash = FNV1a()
        for part in parts {
            for byte in part { hash.add(UInt64(byte)) }
            // Includes the parts' lengths, so that moved boundaries change the checksum.
            hash.add(UInt64(part.count))
        }
        return Int(bitPattern: UInt(hash.value))
    }

    /// The job, or what is wrong with the row.
    func job() -> Result<TransferJob, TransferJournalError> {
        let reason: String
        if checksum != Self.checksum(id, state, delivered, record) {
            reason = "its checksum doesn't match, because the stored bytes were changed"
        } else if let state = TransferJob.State(rawValue: state),
            let job = try? TransferJob(
                record,
                state: state,
                isDelivered: delivered != 0,
                sequence: sequence
            ), job.id == id
        {
            return .success(job)
        } else {
            reason = "this version of the library doesn't write such records"
        }
        return .failure(
            TransferJournalError(
                .damagedJob,
                "The record of job number \(sequence), “\(id)”, can't be read: \(reason). This job "
                    + "isn't run; all other jobs are. Remove it with removeDamaged(_:), and add it "
                    + "again."
            )
        )
    }
}
