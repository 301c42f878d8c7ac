/// Maps media types to file extensions and back.
package enum MediaType {
    /// The usual file extension of each common media type.
    static let filenameExtension: [String: String] = [
        "application/atom+xml": "atom",
        "application/epub+zip": "epub",
        "application/gzip": "gz",
        "application/javascript": "js",
        "application/json": "json",
        "application/ld+json": "jsonld",
        "application/msword": "doc",
        "application/pdf": "pdf",
        "application/rss+xml": "rss",
        "application/rtf": "rtf",
        "application/vnd.ms-excel": "xls",
        "application/vnd.ms-powerpoint": "ppt",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
        "application/wasm": "wasm",
        "application/x-7z-compressed": "7z",
        "application/x-bzip2": "bz2",
        "application/x-tar": "tar",
        "application/xhtml+xml": "xhtml",
        "application/xml": "xml",
        "application/zip": "zip",
        "audio/aac": "aac",
        "audio/flac": "flac",
        "audio/mpeg": "mp3",
        "audio/ogg": "ogg",
        "audio/wav": "wav",
        "font/otf": "otf",
        "font/ttf": "ttf",
        "font/woff": "woff",
        "font/woff2": "woff2",
        "image/avif": "avif",
        "image/bmp": "bmp",
        "image/gif": "gif",
        "image/jpeg": "jpeg",
        "image/png": "png",
        "image/svg+xml": "svg",
        "image/tiff": "tiff",
        "image/vnd.microsoft.icon": "ico",
        "image/webp": "webp",
        "image/x-icon": "ico",
        "text/calendar": "ics",
        "text/css": "css",
        "text/csv": "csv",
        "text/html": "html",
        "text/javascript": "js",
        "text/markdown": "md",
        "text/plain": "txt",
        "text/vcard": "vcf",
        "text/xml": "xml",
        "video/mp4": "mp4",
        "video/mpeg": "mpeg",
        "video/ogg": "ogv",
        "video/quicktime": "mov",
        "video/webm": "webm",
    ]
}

extension MediaType {
    /// The media type of files whose type is unknown.
    package static let unknown = "application/octet-stream"

    /// Returns the media type for a file's extension. ``unknown`` if there is none.
    ///
    /// The extension is case-insensitive.
    package static func type(ofFilename name: some StringProtocol) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return unknown }
        return typeByExtension[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    /// The types with a unique extension, and further extensions.
    private static let typeByExtension: [String: String] = {
        let known = filenameExtension.map { ($0.value, $0.key) }.sorted { $0.1 < $1.1 }
        return Dictionary(known) { first, _ in first }.merging(otherExtensions) { $1 }
    }()

    /// Further extensions.
    ///
    /// For an extension of several types, this has the registered type. For a type with several
    /// extensions, it has the other ones.
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
