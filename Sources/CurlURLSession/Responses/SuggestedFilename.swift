internal import Foundation
internal import HTTPSemantics

/// Chooses a safe name for the file with a response's body.
///
/// Whatever a server sends, the name is a single path component: it has no slash, backslash or
/// control character, doesn't begin with a dot, isn't empty, and isn't longer than file systems
/// allow.
enum SuggestedFilename {
    /// The name if neither the response nor its URL provides one.
    static let unknown = "Unknown"
    /// The largest length of a file name on Linux, in bytes.
    static let maximumLength = 255

    /// Chooses a file name.
    ///
    /// The name comes from `Content-Disposition`, or else from the last component of the URL's
    /// path, or else from the URL's host. A path component without an extension gets that of the
    /// media type.
    static func make(disposition: String?, url: URL?, mimeType: String?) -> String {
        if let name = disposition.flatMap({ name(inDisposition: $0) }) { return name }
        guard let url else { return unknown }
        let component = lastComponent(of: url)
        if let name = component.flatMap({ safe(String($0).removingPercentEncoding ?? String($0)) })
        {
            return withExtension(name, of: mimeType)
        }
        return url.host().flatMap { safe($0) } ?? unknown
    }

    /// The last component of the URL's path, percent-encoded; `nil` without one.
    ///
    /// Without a host, what follows the scheme is the path, also of relative and `data:` URLs.
    private static func lastComponent(of url: URL) -> Substring? {
        guard url.host() == nil, !url.isFileURL else {
            return url.path(percentEncoded: true).split(separator: "/").last
        }
        let scheme = url.scheme.map { $0.utf8.count + 1 } ?? 0
        return url.absoluteString.dropFirst(scheme).prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/").last
    }

    /// `filename*` takes precedence over `filename` (RFC 6266, 4.3).
    private static func name(inDisposition text: String) -> String? {
        let disposition = ParameterizedValue(text)
        let extended = disposition["filename*"].flatMap { ExtendedValue.decode($0) }
        return extended.flatMap { safe($0) } ?? disposition["filename"].flatMap { safe($0) }
    }

    /// Removes unsafe characters; returns `nil` if no name is left.
    private static func safe(_ name: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in name.trimmingCharacters(in: .whitespacesAndNewlines).unicodeScalars {
            scalars.append(isUnsafe(scalar) ? "_" : scalar)
        }
        // `.`, `..` and an empty name aren't names. A hidden file becomes visible.
        guard let first = scalars.firstIndex(where: { $0 != "." }) else { return nil }
        if first != scalars.startIndex {
            scalars.replaceSubrange(..<scalars.index(after: scalars.startIndex), with: ["_"])
        }
        return shortened(String(scalars))
    }

    /// Whether the character separates paths, controls a terminal, or disguises a name.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "/" || scalar == "\\" || scalar.properties.isBidiControl { return true }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// Shortens a name to the largest length, and keeps its extension.
    ///
    /// Characters are never split, except a first one that alone exceeds the limit; otherwise
    /// nothing would be left. The search runs forward, and only through the part that may stay:
    /// found from the end, each character may take time proportional to the whole name.
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
