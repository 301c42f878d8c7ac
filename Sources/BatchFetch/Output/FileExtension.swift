/// The extensions of files, without their dot.
enum FileExtension {
    /// That of the URL's path, else one for the content type, else `bin`.
    static func of(_ target: FetchTarget, contentType: String?) -> String {
        ofURL(target) ?? contentType.flatMap { ofType($0) } ?? "bin"
    }

    /// That of the URL's path: up to eight letters and digits behind its last dot, with a letter
    /// among them.
    static func ofURL(_ target: FetchTarget) -> String? {
        let path = target.rest.prefix { $0 != "?" && $0 != "#" }
        let file = path.utf8.split(separator: UInt8(ascii: "/")).last
        guard path.last != "/", let file, let dot = file.lastIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        let ending = file[file.index(after: dot)...]
        guard dot > file.startIndex, (1...8).contains(ending.count),
            ending.contains(where: isLetter),
            ending.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) })
        else { return nil }
        return String(decoding: ending, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    /// One for a content type, if it is a common one.
    static func ofType(_ contentType: String) -> String? {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return types[type]
    }

    /// What stands before the extension, and the extension with its dot.
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
