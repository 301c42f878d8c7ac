internal import HTTPSemantics

/// A template for file names: text with fields.
///
///     {host}/{path}                     example.org/a/photo.jpg
///     {sha256[0:2]}/{ordinal}.{ext}     9f/17.jpg
///
/// The fields are `scheme`, `host`, `port`, `path` (of the URL, made safe; with a hash if there is
/// a query), `file` (the last part of `path`), `stem` (`file` without its extension), `ext` (of the
/// URL, otherwise of the content type, otherwise `bin`), `ordinal` and `line` (with `:8` as eight
/// digits), `tag`, and `sha256` (of the URL, because the body isn't known yet). `[a:b]` takes the
/// characters from index a up to but not including b. `{{` and `}}` are literal braces.
public struct NameTemplate: Sendable, Hashable {
    enum Field: String, Sendable, Hashable, CaseIterable {
        case scheme, host, port, path, file, stem, ext, ordinal, line, tag, sha256
    }

    enum Part: Sendable, Hashable {
        case text(String)
        case field(Field, range: Range<Int>?, width: Int)
    }

    let parts: [Part]

    /// Parses a template.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid template.
    public init(_ text: String) throws(BatchFailure) {
        guard !text.isEmpty else {
            throw BatchFailure(.configuration, "the template for names is empty")
        }
        parts = try NameTemplateParser.parse(text)
    }

    /// Whether the name is unknown before the response.
    func needsContentType(for job: some NamedURL) -> Bool {
        let usesExtension = parts.contains { part in
            if case .field(.ext, _, _) = part { true } else { false }
        }
        return usesExtension && FileExtension.ofURL(job.target) == nil
    }

    /// Returns the name, which is not safe yet.
    func text(for job: some NamedURL, contentType: String?) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let plain):
                text += plain
            case .field(let field, let range, let width):
                var value = Self.value(of: field, job, contentType).zeroPadded(to: width)
                if let range {
                    value = String(value.dropFirst(range.lowerBound).prefix(range.count))
                }
                text += value
            }
        }
        return text
    }

    private static func value(
        of field: Field,
        _ job: some NamedURL,
        _ contentType: String?
    ) -> String {
        let target = job.target
        switch field {
        case .scheme: return target.isSecure ? "https" : "http"
        case .host: return oneComponent(target.host)
        case .port: return String(target.port)
        case .path: return path(of: target)
        case .file: return file(of: target)
        case .stem: return FileExtension.split(file(of: target)).stem
        case .ext: return FileExtension.of(target, contentType: contentType)
        case .ordinal: return String(job.ordinal)
        case .line: return String(job.line)
        case .tag: return oneComponent(target.details?.request.tag ?? "")
        case .sha256: return Hexadecimal.text(MessageDigest.of(Array(target.url.utf8), .sha256))
        }
    }

    /// Returns the path after the folder of the host.
    private static func path(of target: FetchTarget) -> String {
        let whole = SafeName(target).path
        return whole.firstIndex(of: "/").map { String(whole[whole.index(after: $0)...]) } ?? whole
    }

    private static func file(of target: FetchTarget) -> String {
        let path = path(of: target)
        return path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    private static func oneComponent(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "/")) ? text.replacing("/", with: "_") : text
    }
}
