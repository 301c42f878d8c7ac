internal import Foundation

/// The name of a file that a response is saved as.
///
/// Whatever a server sends, the name is one component of a path: it has no slash, backslash or control
/// character, doesn't begin with a dot, isn't empty, and isn't longer than file systems take.
enum SuggestedFilename {
    /// What a response is called that nothing names.
    static let unknown = "Unknown"
    /// The most bytes of a name that Linux' file systems take.
    static let maximumLength = 255

    /// The name that `Content-Disposition` gives, else the last component of the URL's path, else the
    /// URL's host. The latter two have no extension as often as not, and then get the media type's.
    static func make(disposition: String?, url: URL?, mimeType: String?) -> String {
        if let name = disposition.flatMap({ name(inDisposition: $0) }) { return name }
        guard let url, url.host() != nil || url.isFileURL else { return unknown }
        let component = url.path(percentEncoded: true).split(separator: "/").last
        if let name = component.flatMap({ safe(String($0).removingPercentEncoding ?? String($0)) })
        {
            return withExtension(name, of: mimeType)
        }
        return url.host().flatMap { safe($0) } ?? unknown
    }

    /// `filename*` goes before `filename` (RFC 6266, 4.3).
    private static func name(inDisposition text: String) -> String? {
        let disposition = ParameterizedValue(text)
        let extended = disposition["filename*"].flatMap { ExtendedValue.decode($0) }
        return extended.flatMap { safe($0) } ?? disposition["filename"].flatMap { safe($0) }
    }

    /// `nil` where nothing is left of a name.
    private static func safe(_ name: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in name.trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars {
            scalars.append(isUnsafe(scalar) ? "_" : scalar)
        }
        // `.`, `..` and an empty name are none; a hidden file is shown.
        guard let first = scalars.firstIndex(where: { $0 != "." }) else { return nil }
        if first != scalars.startIndex {
            scalars.replaceSubrange(..<scalars.index(after: scalars.startIndex), with: ["_"])
        }
        return shortened(String(scalars))
    }

    /// What parts a path, what a terminal obeys, and what makes a name read as another one.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "/" || scalar == "\\" || scalar.properties.isBidiControl { return true }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// The extension stays, and no character is cut in two but the first: it may be too long by itself,
    /// and without it nothing would be left.
    ///
    /// Characters are looked for from the front, and in the part alone that may stay: found from the end,
    /// each may take as long as the whole name is.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumLength else { return name }
        let end = name.utf8.suffix(32)
        let dot = end.lastIndex(of: UInt8(ascii: "."))
        let kept = dot.map { name[$0...] } ?? ""
        let room = maximumLength - kept.utf8.count
        let scalars = name[..<(dot ?? name.endIndex)].unicodeScalars
            .prefix(maximumLength + 1)
        let stem = String(Substring(scalars))
        let characters = prefix(of: stem, upTo: room) { $0.utf8.count }
        guard characters.isEmpty else { return String(characters) + kept }
        let letters = prefix(of: stem.unicodeScalars, upTo: room) { UTF8.width($0) }
        return String(Substring(letters)) + kept
    }

    private static func prefix<Text: Collection>(
        of text: Text,
        upTo room: Int,
        width: (Text.Element) -> Int
    ) -> Text.SubSequence {
        var length = 0
        return text.prefix { element in
            length += width(element)
            return length <= room
        }
    }

    private static func withExtension(_ name: String, of mimeType: String?) -> String {
        guard !name.contains("."), let type = mimeType?.lowercased(),
            let suffix = MediaType.filenameExtension[type]
        else { return name }
        return shortened("\(name).\(suffix)")
    }
}
