internal import FoundationEssentials

/// What is known of a body of which a part is there: the content of the small file beside that part.
struct PartialRecord: Sendable, Hashable {
    /// As the list has it.
    let url: String
    /// The one that answered, after redirects.
    let finalURL: String
    let validator: BodyValidator
    /// Bytes of the whole body.
    let length: Int64
    /// What was written.
    var ranges = ByteRanges()
    /// What is on the device, so that not even a power failure takes it away.
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
        /// When the system was started, by a name: what was written before that, and isn't durable,
        /// may be lost.
        let boot: String
    }

    /// Reads what ``text(boot:)`` has written; nil for what can't be used.
    init?(_ text: [UInt8], boot: String) {
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
        ranges = content.boot == boot ? content.ranges : content.durable
        guard (ranges.ranges.last?.upperBound ?? 0) <= length else { return nil }
    }

    func text(boot: String) -> [UInt8] {
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
        // All of it can be encoded.
        return (try? encoder.encode(content)).map { Array($0) } ?? []
    }
}
