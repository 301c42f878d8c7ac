import CurlTransport
import HTTPTypes
import Posix
import Synchronization

/// Stores bodies in tar files in WebDataset format.
///
/// Each body is a member such as `000000017.jpg`, named for its number among all URLs, and is
/// followed by `000000017.json` with its metadata.
final class TarArchive: BodyArchive {
    /// Two empty blocks end a tar file.
    private static let end = [UInt8](repeating: 0, count: 1024)

    private let series: Mutex<ArchiveSeries>

    /// Writes to a folder.
    ///
    /// - Parameter label: A part of the files' names, for several runs in one folder.
    init(folder: String, limit: ArchiveLimit, label: String? = nil) {
        let recovery = ArchiveRecovery(
            folder: folder,
            name: ArchiveName.labelled("shard", label),
            ending: "tar",
            trailer: Self.end,
            wholeLength: TarRecovery.wholeLength,
            isTorn: TarRecovery.isTorn
        )
        series = Mutex(ArchiveSeries(recovery, limit: limit))
    }

    /// Writes to object storage.
    init(
        in uploads: ObjectUploads,
        limit: ArchiveLimit,
        label: String?,
        holding results: HeldResults
    ) {
        let objects = ArchiveObjects(
            uploads,
            name: ArchiveName.labelled("shard", label),
            ending: "tar",
            contentType: "application/x-tar",
            trailer: Self.end,
            isShared: label != nil,
            holding: results
        )
        series = Mutex(ArchiveSeries(objects, limit: limit))
    }

    func add(_ response: ArchivedResponse, _ body: ArchivedBody) throws(BatchFailure) -> BodyEnd {
        try series.withLock { series throws(BatchFailure) in
            try series.add { file throws(FileError) in
                let place = BodyEnd.shard(name: file.name, offset: file.length)
                try Self.write(response, body, to: &file)
                return place
            }
        }
    }

    func closeDue(isIdle: Bool) throws(BatchFailure) {
        try series.withLock { series throws(BatchFailure) in
            try series.closeDue(isIdle: isIdle, at: .now)
        }
    }

    func close() throws(BatchFailure) {
        try series.withLock { series throws(BatchFailure) in try series.close() }
    }

    private static func write(
        _ response: ArchivedResponse,
        _ body: ArchivedBody,
        to file: inout ArchiveFile
    ) throws(FileError) {
        let contentType = response.head.firstValue(of: .contentType)
        let ending = FileExtension.of(response.job.target, contentType: contentType)
        let key = String(response.job.ordinal).zeroPadded(to: 9)
        let seconds = response.moment / 1_000_000
        // `.json` is reserved for the metadata.
        let name = "\(key).\(ending == "json" ? "body.json" : ending)"
        let count = body.spool.count
        try file.write(TarHeader.bytes(name: name, size: count, seconds: seconds))
        try body.spool.read { bytes throws(FileError) in try file.write(bytes) }
        try file.write(TarHeader.padding(after: count))
        let description = Self.description(of: response, count: count)
        let size = Int64(description.count)
        try file.write(TarHeader.bytes(name: "\(key).json", size: size, seconds: seconds))
        try file.write(description + TarHeader.padding(after: size))
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
