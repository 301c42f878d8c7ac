import CurlTransport
internal import DequeModule
internal import HTTPSemantics
import HTTPTypes
import Posix
import Synchronization

/// Stores responses with their requests in WARC files (ISO 28500:2017, version 1.1).
///
/// Each record is its own gzip member. If another record holds the same payload, a `revisit` record
/// refers to it instead of repeating it.
final class WARCArchive: BodyArchive {
    /// The state shared by the records of all files.
    private struct Records: ~Copyable {
        var encoder: GzipEncoder
        var payloads = PayloadIndex()
        /// The id of the current file's `warcinfo` record.
        var warcinfo: String?
    }

    private static let profile =
        "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

    // Lock order: `series` before `records`.
    private let series: Mutex<ArchiveSeries>
    private let records: Mutex<Records>

    /// Fields that requests have only if they are their own.
    private let omittedFields: Set<HTTPField.Name>

    /// Writes to a folder.
    ///
    /// - Parameter label: A part of the files' names, for several runs in one folder.
    convenience init(
        folder: String,
        limit: ArchiveLimit,
        label: String? = nil,
        omitting omittedFields: Set<HTTPField.Name> = []
    ) throws(BatchFailure) {
        let recovery = ArchiveRecovery(
            folder: folder,
            name: ArchiveName.labelled("batch", label),
            ending: "warc.gz",
            trailer: [],
            wholeLength: WARCRecovery.wholeLength,
            isTorn: WARCRecovery.isTorn
        )
        try self.init(recovery, limit: limit, omitting: omittedFields)
    }

    /// Writes to object storage.
    convenience init(
        in uploads: ObjectUploads,
        limit: ArchiveLimit,
        label: String?,
        holding results: HeldResults,
        omitting omittedFields: Set<HTTPField.Name>
    ) throws(BatchFailure) {
        let objects = ArchiveObjects(
            uploads,
            name: ArchiveName.labelled("batch", label),
            ending: "warc.gz",
            contentType: "application/gzip",
            trailer: [],
            isShared: label != nil,
            holding: results
        )
        try self.init(objects, limit: limit, omitting: omittedFields)
    }

    private init(
        _ place: any ArchivePlace,
        limit: ArchiveLimit,
        omitting omittedFields: Set<HTTPField.Name>
    ) throws(BatchFailure) {
        self.omittedFields = omittedFields
        guard let encoder = GzipEncoder() else {
            throw BatchFailure(.resources, "not enough memory to compress the archive")
        }
        series = Mutex(ArchiveSeries(place, limit: limit))
        records = Mutex(Records(encoder: encoder))
    }

    func add(_ response: ArchivedResponse, _ body: ArchivedBody) throws(BatchFailure) -> BodyEnd {
        try series.withLock { series throws(BatchFailure) in
            try series.add { file throws(FileError) in
                try records.withLock { records throws(FileError) in
                    if file.length == 0 {
                        records.warcinfo = try begin(&file, &records.encoder)
                    }
                    let place = BodyEnd.shard(name: file.name, offset: file.length)
                    try write(response, body, to: &file, &records)
                    return place
                }
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

    /// Writes the `response` or `revisit` record, and the `request` record.
    private func write(
        _ response: ArchivedResponse,
        _ body: ArchivedBody,
        to file: inout ArchiveFile,
        _ records: inout Records
    ) throws(FileError) {
        let head = WARCExchange.responseHead(response.head, answering: response.request)
        let payload = body.payloadDigest?.finish() ?? []
        let block = body.blockDigest?.finish() ?? []
        let count = body.spool.count
        let date = Timestamp.text(microseconds: response.moment)
        // Where the system forbids SHA-1 there are no digests, and bodies can't be compared.
        let isKnown = count > 0 && !payload.isEmpty
        let origin = isKnown ? records.payloads[payload] : nil
        var record = WARCRecord(type: origin == nil ? "response" : "revisit", date: date)
        record.add("WARC-Target-URI", response.url)
        record.add("WARC-Payload-Digest", Self.digest(payload))
        record.add("WARC-Protocol", WARCExchange.protocolName(response.head.httpVersion))
        record.add("Content-Type", "application/http;msgtype=response")
        record.add("WARC-IP-Address", WARCExchange.address(ofPeer: body.peer))
        record.add("WARC-Warcinfo-ID", records.warcinfo)
        record.add("WARC-Truncated", body.isCut ? "length" : nil)
        if let origin {
            record.add("WARC-Profile", Self.profile)
            record.add("WARC-Refers-To", origin.id)
            record.add("WARC-Refers-To-Target-URI", origin.url)
            record.add("WARC-Refers-To-Date", origin.date)
            try write(record, head, to: &file, &records.encoder)
        } else {
            record.add("WARC-Block-Digest", Self.digest(block))
            try write(record, head, body.spool, to: &file, &records.encoder)
            if isKnown {
                let origin = PayloadIndex.Origin(id: record.id, url: response.url, date: date)
                records.payloads.add(origin, for: payload)
            }
        }
        var request = request(of: response, answer: record.id, date)
        request.0.add("WARC-IP-Address", WARCExchange.address(ofPeer: body.peer))
        request.0.add("WARC-Warcinfo-ID", records.warcinfo)
        try write(request, to: &file, &records.encoder)
    }

    private static func digest(_ bytes: [UInt8]) -> String? {
        bytes.isEmpty ? nil : "sha1:\(Base32.text(bytes))"
    }

    /// Writes the `warcinfo` record, which describes the file, and returns its id.
    private func begin(
        _ file: inout ArchiveFile,
        _ encoder: inout GzipEncoder
    ) throws(FileError) -> String {
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
        return record.id
    }

    private func request(
        of response: ArchivedResponse,
        answer: String,
        _ date: String
    ) -> (WARCRecord, [UInt8]) {
        var record = WARCRecord(type: "request", date: date)
        record.add("WARC-Target-URI", response.url)
        record.add("WARC-Concurrent-To", answer)
        record.add("Content-Type", "application/http;msgtype=request")
        var block = WARCExchange.requestHead(response.request, omitting: omittedFields)
        if case .bytes(let bytes) = response.job.place.details?.request.body { block += bytes }
        record.add("WARC-Block-Digest", Self.digest(MessageDigest.of(block, .sha1)))
        return (record, block)
    }

    private func write(
        _ record: (WARCRecord, [UInt8]),
        to file: inout ArchiveFile,
        _ encoder: inout GzipEncoder
    ) throws(FileError) {
        try write(record.0, record.1, to: &file, &encoder)
    }

    /// Writes a record as one gzip member. It consists of the head, `block` and `rest`.
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

/// The records of an archive by the digest of their payload.
///
/// Keeps the latest 100,000 payloads by default and drops the oldest first, so its memory is
/// bounded.
struct PayloadIndex: Sendable {
    /// The record that holds a payload.
    struct Origin: Sendable, Hashable {
        let id: String
        let url: String
        let date: String
    }

    private let limit: Int
    private var origins: [[UInt8]: Origin] = [:]
    private var order = Deque<[UInt8]>()

    init(limit: Int = 100_000) {
        self.limit = limit
    }

    subscript(digest: [UInt8]) -> Origin? { origins[digest] }

    mutating func add(_ origin: Origin, for digest: [UInt8]) {
        guard origins.updateValue(origin, forKey: digest) == nil else { return }
        order.append(digest)
        if origins.count > limit, let oldest = order.popFirst() { origins[oldest] = nil }
    }
}

/// Base 32 (RFC 4648, section 6) without padding. For multiples of 5 bytes such as SHA-1.
enum Base32 {
    static func text(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 5) {
            let group = (0..<5).map { start + $0 < bytes.count ? UInt64(bytes[start + $0]) : 0 }
            let bits = group.reduce(0) { $0 << 8 | $1 }
            for position in 0..<8 {
                text.append(alphabet[Int(bits >> UInt64(35 - 5 * position) & 31)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
