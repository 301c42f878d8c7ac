internal import FoundationEssentials
internal import HTTPSemantics
internal import Posix

/// The record of an incomplete body, stored next to its bytes.
struct PartialRecord: Sendable, Hashable {
    /// The URL as the list spells it.
    let url: String
    /// The URL that answered, after redirects.
    let finalURL: String
    let validator: StrongValidator
    /// The length of the complete body in bytes.
    let length: Int64
    /// The ranges that were written.
    var ranges = ByteRanges()
    /// The ranges that were flushed and survive a power failure.
    var durable = ByteRanges()

    func part(_ range: Range<Int64>) -> RequestedPart {
        RequestedPart(range: range, length: length, present: ranges.count, validator: validator)
    }

    var isWhole: Bool { ranges.gaps(upTo: length).isEmpty }
}

extension PartialRecord {
    private struct Content: Codable {
        let url: String
        let final_url: String
        let etag: String?
        let last_modified: String?
        let length: Int64
        let ranges: ByteRanges
        let durable: ByteRanges
        /// The boot in which the record was written (`SystemBoot`). In another one only the durable
        /// ranges are certain.
        let boot: String
    }

    /// Parses what ``text(boot:)`` has written; `nil` if it is unusable.
    init?(_ text: [UInt8]) {
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(text)),
            (1...PartialFolder.longest).contains(content.length)
        else { return nil }
        if let tag = content.etag {
            validator = .entityTag(tag)
        } else if let date = content.last_modified {
            validator = .lastModified(date)
        } else {
            return nil
        }
        url = content.url
        finalURL = content.final_url
        length = content.length
        durable = content.durable
        ranges = SystemBoot.isCurrent(content.boot) ? content.ranges : content.durable
        guard (ranges.ranges.last?.upperBound ?? 0) <= length else { return nil }
    }

    func text(boot: String = SystemBoot.identifier) -> [UInt8] {
        var etag: String?
        var date: String?
        switch validator {
        case .entityTag(let text): etag = text
        case .lastModified(let text): date = text
        }
        let content = Content(
            url: url,
            final_url: finalURL,
            etag: etag,
            last_modified: date,
            length: length,
            ranges: ranges,
            durable: durable,
            boot: boot
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding these fields never fails.
        return (try? encoder.encode(content)).map { Array($0) } ?? []
    }
}
