/// An element of an XML answer of object storage.
///
/// The answers are a few nested elements with text. So this reads elements, text, character
/// references and CDATA, ignores attributes, comments and processing instructions, and refuses
/// everything else, such as document types with entities of their own. Foundation's parser would
/// need libxml2.
struct S3Element: Sendable, Hashable {
    let name: String
    /// The text in the element itself.
    private(set) var text = ""
    private(set) var children: [S3Element] = []
    /// Whether the end of the element has been parsed.
    private var isClosed = false

    private static let maximumDepth = 16

    private init(name: String) { self.name = name }

    /// The text of the first child with this name; `nil` if there is none.
    subscript(_ name: String) -> String? { children.first { $0.name == name }?.text }

    /// Parses a document; `nil` if it isn't well-formed or has what S3 doesn't send.
    init?(_ document: [UInt8]) {
        guard String(validating: document, as: UTF8.self) != nil else { return nil }
        var rest = document[...]
        var open: [S3Element] = []
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            if !open.isEmpty {
                guard let text = Self.decoded(rest[..<start]) else { return nil }
                open[open.count - 1].text += text
            }
            rest = rest[start...]
            if rest.starts(with: "<!--".utf8) {
                guard Self.skip("-->", &rest) != nil else { return nil }
            } else if rest.starts(with: "<?".utf8) {
                guard Self.skip("?>", &rest) != nil else { return nil }
            } else if rest.starts(with: Self.data.utf8) {
                guard let data = Self.skip("]]>", &rest), !open.isEmpty else { return nil }
                open[open.count - 1].text += Self.string(data.dropFirst(Self.data.utf8.count))
            } else {
                guard let tag = Self.skip(">", &rest), Self.take(tag.dropFirst(), &open) else {
                    return nil
                }
                if open.count == 1, open[0].isClosed {
                    self = open[0]
                    return
                }
            }
        }
        return nil
    }

    private static let data = "<![CDATA["

    /// Opens or closes an element; false if the tag is malformed. The root stays, closed.
    private static func take(_ tag: ArraySlice<UInt8>, _ open: inout [S3Element]) -> Bool {
        let isEnd = tag.first == UInt8(ascii: "/")
        let name = name(isEnd ? tag.dropFirst() : tag)
        if isEnd {
            guard open.last?.name == name else { return false }
            close(&open)
            return true
        }
        guard let first = name.first, first != "!", open.count < maximumDepth else { return false }
        open.append(S3Element(name: name))
        if tag.last == UInt8(ascii: "/") { close(&open) }
        return true
    }

    private static func close(_ open: inout [S3Element]) {
        open[open.count - 1].isClosed = true
        guard open.count > 1 else { return }
        let element = open.removeLast()
        open[open.count - 1].children.append(element)
    }

    /// The local name of a tag.
    private static func name(_ tag: ArraySlice<UInt8>) -> String {
        let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        return string(name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name)
    }

    /// Removes the bytes up to `end`, and `end` itself, and returns the former.
    private static func skip(
        _ end: String,
        _ rest: inout ArraySlice<UInt8>
    ) -> ArraySlice<UInt8>? {
        guard let range = rest.firstRange(of: Array(end.utf8)) else { return nil }
        defer { rest = rest[range.upperBound...] }
        return rest[..<range.lowerBound]
    }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// The text with its references replaced; `nil` for an unknown one.
    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += string(rest[..<start])
            rest = rest[(start + 1)...]
            guard let name = skip(";", &rest) else { return nil }
            let reference = string(name)
            if let entity = entities[reference] {
                result += entity
                continue
            }
            guard reference.hasPrefix("#") else { return nil }
            let isHexadecimal = reference.hasPrefix("#x")
            let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
            let value = UInt32(digits, radix: isHexadecimal ? 16 : 10)
            guard let scalar = value.flatMap({ Unicode.Scalar($0) }) else { return nil }
            result.unicodeScalars.append(scalar)
        }
        return result + string(rest)
    }

    /// Text as the content of an element.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
