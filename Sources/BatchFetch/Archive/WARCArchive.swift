import Curl
import CurlTransport
import HTTPTypes
import Synchronization

/// Responses, and the requests that they answer, in WARC files (ISO 28500:2017, version 1.1), each
/// record a gzip member of its own. A payload that another record has is not written again: a
/// `revisit` record refers to it.
final class WARCArchive: BodyArchive {
    private struct State: ~Copyable {
        var file: ArchiveFile?
        var encoder: GzipEncoder
        var number = 0
        var isRecovered = false
        var payloads = PayloadIndex()
        var failure: BatchFailure?
    }

    private static let profile =
        "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

    private let state: Mutex<State>
    private let folder: String
    private let limit: ArchiveLimit

    init(folder: String, limit: ArchiveLimit) throws(BatchFailure) {
        guard let encoder = GzipEncoder() else {
            throw BatchFailure(.resources, "there is no memory to compress the archive")
        }
        self.folder = folder
        self.limit = limit
        state = Mutex(State(encoder: encoder))
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
        let head = WARCExchange.responseHead(response.head)
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
        file.entries += 1
        if limit.isReached(bytes: file.length, entries: file.entries) {
            try file.close()
        } else {
            state.file = consume file
        }
        return place
    }

    /// The file that is being written, which the state has no longer; if there is none a new one,
    /// with the record that says what it is.
    private func current(_ state: inout State) throws(FileError) -> ArchiveFile {
        if let file = state.file.take() { return file }
        try recover(&state)
        var file = try ArchiveFile(
            folder: folder,
            name: "batch",
            ending: "warc.gz",
            number: &state.number
        )
        state.number += 1
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
        try write(record, block, to: &file, &state.encoder)
        return file
    }

    /// Closes what an earlier run left, once.
    private func recover(_ state: inout State) throws(FileError) {
        guard !state.isRecovered else { return }
        state.isRecovered = true
        try ArchiveRecovery(
            folder: folder,
            name: "batch",
            ending: "warc.gz",
            trailer: [],
            wholeLength: WARCRecovery.wholeLength
        ).run()
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
        if case .bytes(let bytes) = response.job.target.details?.request.body { block += bytes }
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

    func close() throws(BatchFailure) {
        try state.withLock { state throws(BatchFailure) in
            guard state.failure == nil else { return }
            do throws(FileError) {
                try recover(&state)
                guard let file = state.file.take() else { return }
                try file.close()
            } catch {
                throw BatchFailure(.output, error)
            }
        }
    }
}
