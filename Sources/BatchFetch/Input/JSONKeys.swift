internal import FoundationEssentials

/// Finds keys that an object of a JSON text has twice. Does no input or output.
///
/// A decoder keeps one of the values and drops the other without an error (RFC 8259, section 4).
struct JSONKeys {
    /// An object or array that isn't closed.
    private enum Container {
        case object(keys: Set<String>)
        case array
    }

    private let bytes: [UInt8]
    private var place = 0
    private var open: [Container] = []
    /// Whether the next string of an object is a key.
    private var isKeyNext = false

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the first key that an object has twice; `nil` if there is none.
    ///
    /// - Parameter text: Valid JSON. For any other text the result means nothing.
    static func repeated(in text: String) -> String? {
        var keys = JSONKeys(text)
        return keys.repeated()
    }

    private mutating func repeated() -> String? {
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "{"):
                open.append(.object(keys: []))
                isKeyNext = true
            case UInt8(ascii: "["):
                open.append(.array)
                isKeyNext = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                isKeyNext = false
            case UInt8(ascii: ","):
                if case .object = open.last { isKeyNext = true }
            case UInt8(ascii: "\""):
                let string = takeString()
                if isKeyNext, let key = Self.text(of: string), !insert(key) { return key }
                isKeyNext = false
                continue
            default: break
            }
            place += 1
        }
        return nil
    }

    /// Takes a string with its quotes.
    private mutating func takeString() -> ArraySlice<UInt8> {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        return bytes[start..<place]
    }

    /// Returns the text of a string, without its quotes and escapes.
    private static func text(of string: ArraySlice<UInt8>) -> String? {
        guard string.contains(UInt8(ascii: "\\")) else {
            return String(decoding: string.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(string))
    }

    /// Adds a key to the innermost object; returns false if the object has it.
    private mutating func insert(_ key: String) -> Bool {
        guard case .object(var keys) = open.popLast() else { return true }
        let isNew = keys.insert(key).inserted
        open.append(.object(keys: keys))
        return isNew
    }
}
