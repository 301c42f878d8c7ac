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
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumLength else { return name }
        let suffix = name.lastIndex(of: ".").map { name[$0...] } ?? ""
        let kept = suffix.utf8.count <= 32 ? suffix : ""
        let room = maximumLength - kept.utf8.count
        var stem = name.dropLast(kept.count)
        let least = stem.prefix(1).utf8.count
        while stem.utf8.count > max(room, least) { stem.removeLast() }
        var length = 0
        let scalars = stem.unicodeScalars.prefix { scalar in
            length += UTF8.width(scalar)
            return length <= room
        }
        return String(Substring(scalars)) + kept
    }

    private static func withExtension(_ name: String, of mimeType: String?) -> String {
        guard !name.contains("."), let type = mimeType?.lowercased(),
            let suffix = MediaType.filenameExtension[type]
        else { return name }
        return shortened("\(name).\(suffix)")
    }
}
