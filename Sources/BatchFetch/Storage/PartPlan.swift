/// How a body is divided into parts for its upload.
///
/// Up to 16 MiB are one request. A larger body has parts of 16 MiB, or of more if it would have
/// more than 10,000 of them otherwise. Source, with the limits:
/// <https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html>.
struct PartPlan: Sendable, Hashable {
    /// The largest body that is uploaded by one request, in bytes.
    static let single: Int64 = 16 << 20
    /// The largest body, in bytes.
    static let maximum: Int64 = 5 << 40
    private static let maximumCount: Int64 = 10_000
    private static let mebibyte: Int64 = 1 << 20

    /// The length of the body in bytes.
    let length: Int64
    /// The length of each part in bytes; the last one may be shorter.
    let partLength: Int64

    init(length: Int64) {
        self.length = length
        let least = (length + Self.maximumCount - 1) / Self.maximumCount
        let rounded = (least + Self.mebibyte - 1) / Self.mebibyte * Self.mebibyte
        partLength = max(Self.single, rounded)
    }

    /// Whether one request uploads all of the body.
    var isSingle: Bool { length <= Self.single }

    /// The number of parts.
    var count: Int { Int((length + partLength - 1) / partLength) }

    /// The bytes of a part; the first part has the number 1.
    func range(ofPart number: Int) -> Range<Int64> {
        let start = Int64(number - 1) * partLength
        return start..<min(length, start + partLength)
    }
}
