import CurlTransport
import HTTPTypes

/// What names a body so surely that what is missing of it can be asked for later: a strong validator
/// (RFC 9110, 8.8.1).
enum BodyValidator: Sendable, Hashable {
    case entityTag(String)
    case lastModified(String)

    /// How much older than its response a body must be: a date alone can't tell two bodies of one
    /// second apart (RFC 9110, 8.8.2.2; a minute allows for clocks that differ).
    private static let age: Int64 = 60

    /// That of a response; nil where it has none that is strong.
    init?(of head: ResponseHead) {
        if let tag = head.firstValue(of: .eTag) {
            guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
                HTTPField.isValidValue(tag)
            else { return nil }
            self = .entityTag(tag)
            return
        }
        guard let text = head.firstValue(of: .lastModified), HTTPField.isValidValue(text),
            let modified = HTTPDate.seconds(from: text),
            let date = head.firstValue(of: .date).flatMap({ HTTPDate.seconds(from: $0) }),
            date - modified >= Self.age
        else { return nil }
        self = .lastModified(text)
    }

    /// As `If-Range` has it.
    var fieldValue: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Whether a part that answers `If-Range` is of another body nevertheless, or doesn't say of which:
    /// it must repeat the entity tag (RFC 9110, 15.3.7).
    func isContradicted(by head: ResponseHead) -> Bool {
        switch self {
        case .entityTag(let tag): head.firstValue(of: .eTag) != tag
        case .lastModified(let date): head.firstValue(of: .lastModified).map { $0 != date } ?? false
        }
    }
}
