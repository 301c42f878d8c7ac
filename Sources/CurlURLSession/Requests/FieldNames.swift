internal import HTTPTypes
internal import Synchronization

/// The names of header fields that the requests of a session have had.
///
/// They are few, and come again with each request, mostly in the same order: so each of them is looked
/// at once.
final class FieldNames: Sendable {
    /// More than any program's requests have on purpose; others are looked at each time.
    static let limit = 64

    private let names = Mutex<[HTTPField.Name]>([])

    /// Those that are known by now.
    var known: [HTTPField.Name] { names.withLock { $0 } }

    /// The name that is spelled like this; `nil` for what is none.
    ///
    /// - Parameters:
    ///   - index: Which field of its request it is.
    ///   - known: What was known when the request was begun with.
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

    /// Strings are equal, too, where one has letters of Unicode that stand for ASCII's: those take more
    /// bytes.
    private static func matches(_ name: HTTPField.Name, _ text: String) -> Bool {
        name.rawName.utf8.count == text.utf8.count && name.rawName == text
    }
}
