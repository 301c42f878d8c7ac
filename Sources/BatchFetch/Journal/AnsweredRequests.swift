internal import HTTPSemantics

/// The requests of an endless list that earlier runs have answered.
///
/// A request is identified by its content, because an endless list has no fixed line numbers. If it
/// was answered n times, the next n requests with the same content count as answered. Takes 12 bytes
/// for each different request, and holds at most ``limit`` answers.
struct AnsweredRequests: Sendable {
    /// The maximum number of answers: the latest 4,194,304.
    static let limit = 1 << 22

    /// The different keys in ascending order, and how many answers of each are left.
    private var keys: [UInt64] = []
    private var counts: [UInt32] = []

    /// - Parameter answers: The keys of all answers, in any order.
    init(_ answers: [UInt64]) {
        for key in answers.sorted() {
            if keys.last == key {
                counts[counts.count - 1] += 1
            } else {
                keys.append(key)
                counts.append(1)
            }
        }
    }

    var isEmpty: Bool { keys.isEmpty }

    /// Whether an answer to this request is left; takes it.
    mutating func take(_ key: UInt64) -> Bool {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        guard low < keys.count, keys[low] == key, counts[low] > 0 else { return false }
        counts[low] -= 1
        return true
    }
}

/// The content of a request as a number: the first 64 bits of a SHA-256.
///
/// It is the same in every process. No request can be made to have the key of a given other one:
/// that takes some 2⁶⁴ attempts.
enum RequestKey {
    /// The key of a request: its URL, method, fields, content and tag.
    static func key(of target: FetchTarget) -> UInt64 {
        var parts = Deduplication.exact.key(of: target)
        if let tag = target.details?.request.tag { parts.append(Array("t\(tag)".utf8)) }
        return key(of: parts)
    }

    /// The key of a line that isn't a request.
    static func key(ofLine line: String) -> UInt64 { key(of: [Array(line.utf8)]) }

    /// 128 bits of the SHA-256 of a request, as a UUID; `nil` without SHA-256.
    ///
    /// - Parameter deduplication: Which requests have the same key.
    static func uuid(of target: FetchTarget, _ deduplication: Deduplication) -> String? {
        let bytes = bytes(of: deduplication.key(of: target))
        let digest = MessageDigest.of(bytes, .sha256)
        guard digest.count >= 16 else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in digest.prefix(16).enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(of parts: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            // The length separates the parts.
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: part.count >> shift))
            }
            bytes += part
        }
        return bytes
    }

    private static func key(of parts: [[UInt8]]) -> UInt64 {
        let bytes = bytes(of: parts)
        let digest = MessageDigest.of(bytes, .sha256)
        guard digest.count >= 8 else { return StableHash.hash(bytes) }
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
