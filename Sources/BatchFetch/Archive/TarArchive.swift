import Curl
import CurlTransport
import HTTPTypes
import Synchronization

/// Bodies in tar files as WebDataset has them: for each `000000017.jpg`, its number among all URLs,
/// and beside it `000000017.json` with what there is to say about it.
final class TarArchive: BodyArchive {
    private struct State: ~Copyable {
        var file: ArchiveFile?
        var number = 0
        var isRecovered = false
        /// After it nothing is written any more: the end of the file is not as it should be.
        var failure: BatchFailure?
    }

    private let state = Mutex(State())
    private let folder: String
    private let limit: ArchiveLimit

    init(folder: String, limit: ArchiveLimit) {
        self.folder = folder
        self.limit = limit
    }

    func add(_ response: ArchivedResponse, _ body: ArchivedBody) throws(BatchFailure) -> BodyEnd {
        try state.withLock { state throws(BatchFailure) in
            if let failure = state.failure { throw failure }
            do throws(FileError) {
                return try add(response, body, &state)
            } catch {
                let failure = BatchFailure(.output, error)
                state.failure = failure
                throw failure
            }
        }
    }

    private func add(
        _ response: ArchivedResponse,
        _ body: ArchivedBody,
        _ state: inout State
    ) throws(FileError) -> BodyEnd {
        var file = try current(&state)
        let place = BodyEnd.shard(name: file.name, offset: file.length)
        let contentType = response.head.firstValue(of: .contentType)
        let ending = FileExtension.of(response.job.target, contentType: contentType)
        let digits = String(response.job.ordinal)
        let key = String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
        let seconds = response.moment / 1_000_000
        // `.json` is the description's.
        let name = "\(key).\(ending == "json" ? "body.json" : ending)"
        let count = body.spool.count
        try file.write(TarHeader.bytes(name: name, size: count, seconds: seconds))
        try body.spool.read { bytes throws(FileError) in try file.write(bytes) }
        try file.write(TarHeader.padding(after: count))
        let description = Self.description(of: response, count: count)
        let size = Int64(description.count)
        try file.write(TarHeader.bytes(name: "\(key).json", size: size, seconds: seconds))
        try file.write(description + TarHeader.padding(after: size))
        file.entries += 1
        if limit.isReached(bytes: file.length, entries: file.entries) {
            try Self.finish(file)
        } else {
            state.file = consume file
        }
        return place
    }

    /// The file that is being written, which the state has no longer; a new one if there is none.
    private func current(_ state: inout State) throws(FileError) -> ArchiveFile {
        if let file = state.file.take() { return file }
        try recover(&state)
        defer { state.number += 1 }
        return try ArchiveFile(folder: folder, name: "shard", ending: "tar", number: &state.number)
    }

    /// Closes what an earlier run left, once.
    private func recover(_ state: inout State) throws(FileError) {
        guard !state.isRecovered else { return }
        state.isRecovered = true
        try ArchiveRecovery(
            folder: folder,
            name: "shard",
            ending: "tar",
            trailer: Self.end,
            wholeLength: TarRecovery.wholeLength
        ).run()
    }

    /// Two empty blocks.
    private static let end = [UInt8](repeating: 0, count: 1024)

    private static func finish(_ file: consuming ArchiveFile) throws(FileError) {
        try file.write(end)
        try file.close()
    }

    func close() throws(BatchFailure) {
        try state.withLock { state throws(BatchFailure) in
            guard state.failure == nil else { return }
            do throws(FileError) {
                try recover(&state)
                guard let file = state.file.take() else { return }
                try Self.finish(file)
            } catch {
                throw BatchFailure(.output, error)
            }
        }
    }

    private static func description(of response: ArchivedResponse, count: Int64) -> [UInt8] {
        var line = JSONLine()
        line.beginObject()
        line.field("ordinal", Int64(response.job.ordinal))
        line.field("tag", response.job.target.details?.request.tag)
        line.field("url", response.job.target.url)
        line.field("final_url", response.url)
        line.field("status", Int64(response.head.statusCode))
        line.field("decoded_bytes", count)
        line.field("content_type", response.head.firstValue(of: .contentType))
        line.field("etag", response.head.firstValue(of: .eTag))
        line.field("last_modified", response.head.firstValue(of: .lastModified))
        line.field("date", Timestamp.text(microseconds: response.moment))
        line.endObject()
        line.endLine()
        return line.takeBytes()
    }
}
