import Curl
import CurlTransport
import HTTPTypes
import Synchronization

/// Bodies in tar files as WebDataset has them: for each `000000017.jpg`, its number among all URLs,
/// and beside it `000000017.json` with what there is to say about it.
final class TarArchive: BodyArchive {
    /// Two empty blocks.
    private static let end = [UInt8](repeating: 0, count: 1024)

    private let series: Mutex<ArchiveSeries>

    init(folder: String, limit: ArchiveLimit) {
        let recovery = ArchiveRecovery(
            folder: folder,
            name: "shard",
            ending: "tar",
            trailer: Self.end,
            wholeLength: TarRecovery.wholeLength
        )
        series = Mutex(ArchiveSeries(recovery, limit: limit))
    }

    func add(_ response: ArchivedResponse, _ body: ArchivedBody) throws(BatchFailure) -> BodyEnd {
        try series.withLock { series throws(BatchFailure) in
            var file = try series.take()
            do throws(FileError) {
                let place = BodyEnd.shard(name: file.name, offset: file.length)
                try Self.write(response, body, to: &file)
                try series.put(file)
                return place
            } catch {
                throw series.fail(error)
            }
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
