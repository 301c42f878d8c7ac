internal import HTTPSemantics

/// File extensions, without the dot.
enum FileExtension {
    /// Returns the extension for a response's file. It is that in the URL's path, otherwise that of
    /// the content type, otherwise `bin`.
    static func of(_ target: FetchTarget, contentType: String?) -> String {
        ofURL(target) ?? contentType.flatMap { ofType($0) } ?? "bin"
    }

    /// Returns the extension in the URL's path.
    ///
    /// It is the 1 to 8 letters and digits after the last dot, with at least one letter.
    static func ofURL(_ target: FetchTarget) -> String? {
        let path = target.rest.prefix { $0 != "?" && $0 != "#" }
        let file = path.utf8.split(separator: UInt8(ascii: "/")).last
        guard path.last != "/", let file, let dot = file.lastIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        let ending = file[file.index(after: dot)...]
        guard dot > file.startIndex, (1...8).contains(ending.count),
            ending.contains(where: isLetter),
            ending.allSatisfy({ isLetter($0) || $0.isASCIIDigit })
        else { return nil }
        return String(decoding: ending, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    /// Returns the extension for a common content type; otherwise `nil`.
    static func ofType(_ contentType: String) -> String? {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return types[type]
    }

    /// Splits a file name into stem and extension. The extension includes its dot.
    static func split(_ file: String) -> (stem: String, ending: String) {
        guard let dot = file.utf8.lastIndex(of: UInt8(ascii: ".")), dot > file.startIndex else {
            return (file, "")
        }
        return (String(file[..<dot]), String(file[dot...]))
    }

    private static let types = [
        "text/html": "html", "application/xhtml+xml": "xhtml", "text/plain": "txt",
        "text/css": "css", "text/csv": "csv", "text/javascript": "js", "text/xml": "xml",
        "application/javascript": "js", "application/json": "json", "application/xml": "xml",
        "application/rss+xml": "xml", "application/atom+xml": "xml", "application/pdf": "pdf",
        "application/zip": "zip", "application/gzip": "gz", "application/x-tar": "tar",
        "application/wasm": "wasm", "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif",
        "image/webp": "webp", "image/avif": "avif", "image/svg+xml": "svg", "image/tiff": "tiff",
        "image/bmp": "bmp", "image/x-icon": "ico", "audio/mpeg": "mp3", "audio/ogg": "ogg",
        "audio/wav": "wav", "audio/flac": "flac", "video/mp4": "mp4", "video/webm": "webm",
        "video/mpeg": "mpeg", "font/woff": "woff", "font/woff2": "woff2",
    ]
}
