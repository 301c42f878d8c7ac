import HTTPTypes
import Posix

/// Encodes jobs without attempts for the frontier's file.
///
/// Does no input or output.
enum JobCodec {
    // MARK: Writing

    static func record(_ job: FetchJob) -> [UInt8] {
        var record: [UInt8] = []
        append(UInt64(job.line), to: &record)
        append(UInt64(job.ordinal), to: &record)
        append(UInt64(bitPattern: job.waitingSince.nanoseconds), to: &record)
        record.append(job.key == nil ? 0 : 1)
        if let key = job.key { append(key, to: &record) }
        append(job.target.url.utf8, to: &record)
        if let request = job.target.details?.request { append(request, to: &record) }
        return record
    }

    private static func append(_ request: BatchRequest, to record: inout [UInt8]) {
        append(request.method.rawValue.utf8, to: &record)
        append(UInt64(request.headerFields.count), to: &record)
        for field in request.headerFields {
            append(field.name.rawName.utf8, to: &record)
            append(field.value.utf8, to: &record)
            let strategies = Self.strategies
            record.append(UInt8(strategies.firstIndex(of: field.indexingStrategy) ?? 0))
        }
        switch request.body {
        case .none:
            record.append(0)
        case .bytes(let bytes):
            record.append(1)
            append(bytes, to: &record)
        case .file(let path):
            record.append(2)
            append(path.utf8, to: &record)
        }
        let (seconds, attoseconds) = request.timeout?.components ?? (-1, 0)
        append(UInt64(bitPattern: seconds), to: &record)
        append(UInt64(bitPattern: attoseconds), to: &record)
        append(request.name, to: &record)
        append(request.tag, to: &record)
        append(UInt64(request.digests.count), to: &record)
        for digest in request.digests {
            append(digest.algorithm.rawValue.utf8, to: &record)
            append(digest.bytes, to: &record)
            append(digest.source.utf8, to: &record)
        }
        append(UInt64(bitPattern: Int64(request.priority)), to: &record)
        append(UInt64(request.mirrors.count), to: &record)
        for mirror in request.mirrors { append(mirror.utf8, to: &record) }
        record.append(request.sharesCredentials ? 1 : 0)
    }

    private static let strategies: [HTTPField.DynamicTableIndexingStrategy] = [
        .automatic, .prefer, .avoid, .disallow,
    ]

    static func append(_ number: UInt64, to record: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            record.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        record.append(UInt8(rest))
    }

    static func append(_ bytes: some Collection<UInt8>, to record: inout [UInt8]) {
        append(UInt64(bytes.count), to: &record)
        record += bytes
    }

    private static func append(_ text: String?, to record: inout [UInt8]) {
        record.append(text == nil ? 0 : 1)
        if let text { append(text.utf8, to: &record) }
    }

    // MARK: Reading

    /// Decodes a record; `nil` if it is damaged.
    static func job(_ record: [UInt8]) -> FetchJob? {
        var reader = JournalRecordReader(record[...])
        guard let line = reader.number(), let ordinal = reader.number(),
            let time = reader.number(), let hasKey = reader.byte()
        else { return nil }
        let key = hasKey == 0 ? nil : reader.number()
        guard (key != nil) == (hasKey == 1), let url = reader.text() else { return nil }
        var request = BatchRequest(url: url)
        if !reader.isAtEnd, !read(&request, from: &reader) { return nil }
        guard let target = try? FetchTarget(request) else { return nil }
        var job = FetchJob(
            target: target,
            line: Int(line),
            ordinal: Int(ordinal),
            waitingSince: MonotonicTime(nanoseconds: Int64(bitPattern: time))
        )
        job.key = key
        return job
    }

    private static func read(
        _ request: inout BatchRequest,
        from reader: inout JournalRecordReader
    ) -> Bool {
        guard let method = reader.text().flatMap(HTTPRequest.Method.init(rawValue:)),
            let fields = fields(&reader), let body = body(&reader),
            let seconds = reader.number(), let attoseconds = reader.number(),
            readOptional(&request.name, from: &reader), readOptional(&request.tag, from: &reader),
            let digests = digests(&reader), let priority = reader.number(),
            let mirrors = mirrors(&reader), let sharing = reader.byte()
        else { return false }
        request.method = method
        request.headerFields = fields
        request.body = body
        if Int64(bitPattern: seconds) >= 0 {
            request.timeout = Duration(
                secondsComponent: Int64(bitPattern: seconds),
                attosecondsComponent: Int64(bitPattern: attoseconds)
            )
        }
        request.digests = digests
        request.priority = Int(truncatingIfNeeded: Int64(bitPattern: priority))
        request.mirrors = mirrors
        request.sharesCredentials = sharing == 1
        return true
    }

    private static func fields(_ reader: inout JournalRecordReader) -> HTTPFields? {
        guard let count = reader.number() else { return nil }
        var fields = HTTPFields()
        for _ in 0..<count {
            guard let name = reader.text().flatMap({ HTTPField.Name($0) }),
                let value = reader.text(), let strategy = reader.byte(),
                strategies.indices.contains(Int(strategy))
            else { return nil }
            var field = HTTPField(name: name, value: value)
            field.indexingStrategy = strategies[Int(strategy)]
            fields.append(field)
        }
        return fields
    }

    private static func body(_ reader: inout JournalRecordReader) -> BatchRequest.Body? {
        switch reader.byte() {
        case 0: BatchRequest.Body.none
        case 1: reader.data().map { .bytes($0) }
        case 2: reader.text().map { .file(path: $0) }
        default: nil
        }
    }

    /// Reads a text that may be missing. Returns false if the record is damaged.
    private static func readOptional(
        _ text: inout String?,
        from reader: inout JournalRecordReader
    ) -> Bool {
        switch reader.byte() {
        case 0:
            text = nil
            return true
        case 1:
            text = reader.text()
            return text != nil
        default:
            return false
        }
    }

    private static func mirrors(_ reader: inout JournalRecordReader) -> [String]? {
        guard let count = reader.number() else { return nil }
        var mirrors: [String] = []
        for _ in 0..<count {
            guard let mirror = reader.text() else { return nil }
            mirrors.append(mirror)
        }
        return mirrors
    }

    private static func digests(_ reader: inout JournalRecordReader) -> [ExpectedDigest]? {
        guard let count = reader.number() else { return nil }
        var digests: [ExpectedDigest] = []
        for _ in 0..<count {
            guard let algorithm = reader.text().flatMap(DigestAlgorithm.init(rawValue:)),
                let bytes = reader.data(), let source = reader.text()
            else { return nil }
            digests.append(ExpectedDigest(algorithm, bytes: bytes, source: source))
        }
        return digests
    }
}
