extension MediaType {
    /// What is known of no file in particular.
    package static let unknown = "application/octet-stream"

    /// The media type that a file's extension tells; ``unknown`` if it tells none. The case of its
    /// letters doesn't matter.
    package static func type(ofFilename name: some StringProtocol) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return unknown }
        return typeByExtension[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    /// The types that have an extension of their own, and what else files are called.
    private static let typeByExtension: [String: String] = {
        let known = filenameExtension.map { ($0.value, $0.key) }.sorted { $0.1 < $1.1 }
        return Dictionary(known) { first, _ in first }.merging(otherExtensions) { $1 }
    }()

    /// Where several types have one extension, the one that is registered for it; and where one type
    /// has several, the rest of them.
    private static let otherExtensions = [
        "htm": "text/html",
        "ico": "image/vnd.microsoft.icon",
        "jpe": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript",
        "log": "text/plain",
        "m4a": "audio/mp4",
        "markdown": "text/markdown",
        "mjs": "text/javascript",
        "mpg": "video/mpeg",
        "oga": "audio/ogg",
        "text": "text/plain",
        "tgz": "application/gzip",
        "tif": "image/tiff",
        "xml": "application/xml",
    ]
}
