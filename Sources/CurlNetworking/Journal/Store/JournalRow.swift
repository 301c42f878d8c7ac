internal import CurlURLSession
internal import Foundation

/// A job as it stands in the table.
struct JournalRow: Sendable {
    let sequence: Int
    let id: String
    let state: String
    let told: Int
    let record: Data
    let checksum: Int

    /// The columns, as ``init(_:)`` reads them.
    static let columns = "sequence, id, state, told, record, checksum"

    init(_ row: borrowing SQLiteConnection.Row) {
        sequence = row.integer(0)
        id = String(decoding: row.blob(1), as: UTF8.self)
        state = String(decoding: row.blob(2), as: UTF8.self)
        told = row.integer(3)
        record = row.blob(4)
        checksum = row.integer(5)
    }

    init(_ job: TransferJob) throws {
        sequence = job.sequence
        id = job.id
        state = job.state.rawValue
        told = job.isTold ? 1 : 0
        record = try job.record()
        checksum = Self.checksum(id, state, told, record)
    }

    private static func checksum(
        _ id: String,
        _ state: String,
        _ told: Int,
        _ record: Data
    ) -> Int {
        RecordChecksum.of([Data(id.utf8), Data(state.utf8), Data([told == 0 ? 0 : 1]), record])
    }

    /// The job, or what is wrong with the row.
    func job() -> Result<TransferJob, TransferJournalError> {
        let reason: String
        if checksum != Self.checksum(id, state, told, record) {
            reason = "its checksum doesn't fit: the disk, or somebody, has changed it"
        } else if let state = TransferJob.State(rawValue: state),
            let job = try? TransferJob(
                record,
                state: state,
                isTold: told != 0,
                sequence: sequence
            ), job.id == id
        {
            return .success(job)
        } else {
            reason = "it isn't what this version of the library writes"
        }
        return .failure(
            TransferJournalError(
                .damagedJob,
                "The record of job number \(sequence), “\(id)”, can't be read: \(reason). The job "
                    + "isn't done; all others are. Remove it with removeDamaged(_:), and add the "
                    + "transfer anew."
            )
        )
    }
}
