internal import HTTPTypes
internal import Synchronization

/// Caches the validated header field names of a session's requests.
///
/// A program uses few names, mostly in the same order in each request. The cache avoids validating
/// them each time.
final class FieldNames: Sendable {
    /// More than a program uses deliberately; further names are validated each time.
    static let limit = 64

    private let names = Mutex<[HTTPField.Name]>([])

    /// The names cached so far.
    var known: [HTTPField.Name] { names.withLock { $0 } }

    /// Returns the name with this spelling. `nil` if it isn't a valid field name.
    ///
    /// - Parameters:
    ///   - index: The position of the field in its request.
    ///   - known: The names cached when the request was started.
    func name(_ text: String, at index: Int, among known: [HTTPField.Name]) -> HTTPField.Name? {
        if index < known.count, Self.matches(known[index], text) { return known[index] }
        if let name = known.first(where: { Self.matches($0, text) }) { return name }
        guard let name = HTTPField.Name(text) else { return nil }
        names.withLock { names in
            if names.count < Self.limit, !names.contains(where: { Self.matches($0, text) }) {
                names.append(name)
            }
        }
        return name
    }

    /// Whether a name has this spelling.
    ///
    /// The lengths are compared first. Swift strings are also equal if one contains non-ASCII
    /// characters that are canonically equivalent to ASCII ones, and those take more bytes.
    private static func matches(_ name: HTTPField.Name, _ text: String) -> Bool {
        name.rawName.utf8.count == text.utf8.count && name.rawName == text
    }
}
