import Curl
import CurlTransport
import HTTPTypes
import Synchronization

/// Responses, and the requests that they answer, in WARC files (ISO 28500:2017, version 1.1), each
/// record a gzip member of its own. A payload that another record has is not written again: a
/// `revisit` record refers to it.
final class WARCArchive: BodyArchive {
    private struct State: ~Copyable {
        var series: ArchiveSeries
        var encoder: GzipEncoder
        var payloads = PayloadIndex()
    }

    private static let profile =
        "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

    private let state: Mutex<State>

    init(folder: String, limit: ArchiveLimit) throws(BatchFailure) {
        guard let encoder = GzipEncoder() else {
            throw BatchFailure(.resources, "there is no memory to compress the archive")
        }
        let recovery = ArchiveRecovery(
            folder: folder,
            name: "batch",
            ending: "warc.gz",
            trailer: [],
            wholeLength: WARCRecovery.wholeLength
        )
        let series = ArchiveSeries(recovery, limit: limit)
        state = Mutex(State(series: series, encoder: encoder))
    }

    func add(_ response: ArchivedResponse, _ body: ArchivedBody) throws(BatchFailure) -> BodyEnd {
        try state.withLock { state throws(BatchFailure) in
            var file = try state.series.take()
            do throws(FileError) {
                if file.length == 0 { try begin(&file, &state.encoder) }
                let place = BodyEnd.shard(name: file.name, offset: file.length)
                try write(response, body, to: &file, &state)
                try state.series.put(file)
                return place
            } catch {
                throw state.series.fail(error)
            }
        }
    }

    func close() throws(BatchFailure) {
        try state.withLock { state throws(BatchFailure) in try state.series.close() }
    }

    /// Writes the exchange's two records.
    private func write(
        _ response: ArchivedResponse,
        _ body: ArchivedBody,
        to file: inout ArchiveFile,
        _ state: inout State
    ) throws(FileError) {
        let head = WARCExchange.responseHead(response.head, answering: response.request)
        let payload = body.payloadDigest?.finish() ?? []
        let block = body.blockDigest?.finish() ?? []
        let count = body.spool.count
        let date = Timestamp.text(microseconds: response.moment)
        let origin = count > 0 ? state.payloads[payload] : nil
        var record = WARCRecord(type: origin == nil ? "response" : "revisit", date: date)
        record.add("WARC-Target-URI", response.url)
        record.add("WARC-Payload-Digest", "sha1:\(Base32.text(payload))")
        record.add("WARC-Protocol", WARCExchange.protocolName(response.head.httpVersion))
        record.add("Content-Type", "application/http;msgtype=response")
        record.add("WARC-Truncated", body.isCut ? "length" : nil)
        if let origin {
            record.add("WARC-Profile", Self.profile)
            record.add("WARC-Refers-To", origin.id)
            record.add("WARC-Refers-To-Target-URI", origin.url)
            record.add("WARC-Refers-To-Date", origin.date)
            try write(record, head, to: &file, &state.encoder)
        } else {
            record.add("WARC-Block-Digest", "sha1:\(Base32.text(block))")
            try write(record, head, body.spool, to: &file, &state.encoder)
            if count > 0 {
                let origin = PayloadIndex.Origin(id: record.id, url: response.url, date: date)
                state.payloads.add(origin, for: payload)
            }
        }
        try write(Self.request(of: response, answer: record.id, date), to: &file, &state.encoder)
    }

    /// Writes the record that says what a file is.
    private func begin(
        _ file: inout ArchiveFile,
        _ encoder: inout GzipEncoder
    ) throws(FileError) {
        let date = Timestamp.text(microseconds: WallClock.microsecondsSince1970)
        var record = WARCRecord(type: "warcinfo", date: date)
        record.add("WARC-Filename", file.name)
        record.add("Content-Type", "application/warc-fields")
        let fields = [
            "software: batchfetch (\(TransferOptions.defaultUserAgent))",
            "format: WARC File Format 1.1",
            "conformsTo: "
                + "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
            "",
        ]
        let block = Array(fields.joined(separator: "\r\n").utf8)
        try write(record, block, to: &file, &encoder)
    }

    private static func request(
        of response: ArchivedResponse,
        answer: String,
        _ date: String
    ) -> (WARCRecord, [UInt8]) {
        var record = WARCRecord(type: "request", date: date)
        record.add("WARC-Target-URI", response.url)
        record.add("WARC-Concurrent-To", answer)
        record.add("Content-Type", "application/http;msgtype=request")
        var block = WARCExchange.requestHead(response.request)
        if case .bytes(let bytes) = response.job.place.details?.request.body { block += bytes }
        record.add("WARC-Block-Digest", "sha1:\(Base32.text(MessageDigest.of(block, .sha1)))")
        return (record, block)
    }

    private func write(
        _ record: (WARCRecord, [UInt8]),
        to file: inout ArchiveFile,
        _ encoder: inout GzipEncoder
    ) throws(FileError) {
        try write(record.0, record.1, to: &file, &encoder)
    }

    /// Writes a record as a gzip member: its head, the beginning of its block, and the rest of it.
    private func write(
        _ record: WARCRecord,
        _ block: [UInt8],
        _ rest: SpooledBody? = nil,
        to file: inout ArchiveFile,
        _ encoder: inout GzipEncoder
    ) throws(FileError) {
        let length = Int64(block.count) + (rest?.count ?? 0)
        var output: [UInt8] = []
        encoder.compress(record.bytes(blockLength: length) + block, into: &output)
        try rest?.read { piece throws(FileError) in
            encoder.compress(piece, into: &output)
            try file.write(output)
            output.removeAll(keepingCapacity: true)
        }
        encoder.compress(WARCRecord.end, isEnd: true, into: &output)
        try file.write(output)
    }
}
