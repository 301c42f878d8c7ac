/// Detects a list's compression by its first bytes, and decompresses it.
package struct InputDecoder: ~Copyable {
    private var gzip: GzipDecoder?
    private var isKnown = false
    private var beginning: [UInt8] = []

    package init() {}

    /// Decompresses the next bytes and passes the output to `take`. Stops when `take` returns
    /// false.
    ///
    /// - Throws: ``BatchFailure`` for an unsupported or damaged format.
    package mutating func decode(
        _ bytes: [UInt8],
        _ take: (_ piece: [UInt8]) -> Bool
    ) throws(BatchFailure) {
        if isKnown { return try pass(bytes, take) }
        beginning += bytes
        guard beginning.count >= 4 || beginning.contains(UInt8(ascii: "\n")) else { return }
        try begin(take)
    }

    /// Ends the list; throws if its gzip data is incomplete.
    package mutating func finish(_ take: (_ piece: [UInt8]) -> Bool) throws(BatchFailure) {
        if !isKnown { try begin(take) }
        guard gzip?.isComplete != false else {
            throw BatchFailure(.input, "its gzip data ends too early")
        }
    }

    private mutating func begin(_ take: (_ piece: [UInt8]) -> Bool) throws(BatchFailure) {
        isKnown = true
        let bytes = beginning
        beginning = []
        for (mark, hint) in Self.unreadable where bytes.starts(with: mark) {
            throw BatchFailure(.input, hint)
        }
        if bytes.starts(with: [0x1F, 0x8B]) {
            guard let decoder = GzipDecoder() else {
                throw BatchFailure(.resources, "not enough memory to decompress it")
            }
            gzip = consume decoder
        }
        try pass(bytes, take)
    }

    private mutating func pass(
        _ bytes: [UInt8],
        _ take: (_ piece: [UInt8]) -> Bool
    ) throws(BatchFailure) {
        if gzip == nil {
            if !bytes.isEmpty { _ = take(bytes) }
        } else {
            try gzip?.decode(bytes, take)
        }
    }

    private static let unreadable: [([UInt8], String)] = [
        ([0xFF, 0xFE], "it is UTF-16: convert it (iconv -f UTF-16 -t UTF-8)"),
        ([0xFE, 0xFF], "it is UTF-16: convert it (iconv -f UTF-16 -t UTF-8)"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed by zstd: pipe it (zstd -dc FILE | … -)"),
        ([0xFD, 0x37, 0x7A, 0x58], "it is compressed by xz: pipe it (xz -dc FILE | … -)"),
        ([0x42, 0x5A, 0x68, 0x39], "it is compressed by bzip2: pipe it (bzip2 -dc FILE | … -)"),
        ([0x50, 0x4B, 0x03, 0x04], "it is a zip archive: pipe it (unzip -p FILE | … -)"),
    ]
}
