internal import CurlTransport
internal import HTTPSemantics
internal import HTTPTypes

/// An entry of an input file of aria2: URLs of one body, and options.
///
/// See <https://aria2.github.io/manual/en/html/aria2c.html#input-file>.
struct AriaEntry: Sendable, Hashable {
    /// An indented line below the URLs.
    struct Option: Sendable, Hashable {
        let name: String
        let value: String

        /// Splits the line at its first `=`.
        init(_ line: String) {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            name = parts[0].trimmingFieldWhitespace
            value = parts.count > 1 ? parts[1].trimmingFieldWhitespace : ""
        }

        /// The name for messages, without what can't be part of one.
        ///
        /// A line without `=` may have a secret in it, as `header: Cookie: …` does.
        fileprivate var shownName: String {
            let isPart: (Character) -> Bool = {
                $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-"
            }
            let start = name.prefix(40).prefix(while: isPart)
            return start.endIndex == name.endIndex ? String(start) : "\(start)…"
        }
    }

    var urls: [String]
    var options: [Option] = []

    /// Returns the request for the entry.
    ///
    /// - Parameter ignored: Receives what isn't used: the names of other options, and the schemes of
    ///   other URLs.
    /// - Throws: ``BatchFailure/Code/invalidLine`` for an option with a wrong value.
    func request(ignored: inout [String]) throws(BatchFailure) -> BatchRequest {
        let urls = usableURLs(&ignored)
        var request = BatchRequest(url: urls.first ?? "")
        request.mirrors = Array(urls.dropFirst())
        var folder: String?
        for option in options {
            switch option.name {
            case "out": request.name = try option.path
            case "dir": folder = try option.path
            case "header": request.headerFields.append(try option.field)
            case "referer":
                let referer = option.value == "*" ? Self.referer(request.url) : option.value
                request.headerFields.append(try option.field(named: "Referer", value: referer))
            case "user-agent":
                request.headerFields.append(
                    try option.field(named: "User-Agent", value: option.value)
                )
            case "checksum": request.digests.append(try option.digest)
            default: ignored.append("the option “\(option.shownName)”")
            }
        }
        if let folder {
            request.name = "\(folder)/\(request.name ?? Self.fileName(of: request.url))"
        }
        return request
    }

    /// The URLs that can be fetched: without those of other schemes, unless there are no others.
    private func usableURLs(_ ignored: inout [String]) -> [String] {
        var schemes: [String] = []
        let usable = urls.filter { url in
            guard let separator = FetchTarget.schemeSeparator(in: url) else { return true }
            let scheme = url[..<separator.lowerBound].lowercased()
            if scheme == "http" || scheme == "https" { return true }
            schemes.append("URLs with the scheme \(scheme.prefix(40))")
            return false
        }
        guard !usable.isEmpty else { return urls }
        ignored += schemes
        return usable
    }

    /// A URL without user, password and fragment, which `Referer` must not have (RFC 9110, 10.1.3).
    private static func referer(_ url: String) -> String {
        let url = String(url.prefix { $0 != "#" })
        guard let start = FetchTarget.schemeSeparator(in: url)?.upperBound else { return url }
        let authority = url[start...].utf8.prefix { !"/?".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return url }
        return "\(url[..<start])\(url[url.utf8.index(after: at)...])"
    }

    /// The file name that aria2 takes from a URL.
    private static func fileName(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let start = FetchTarget.schemeSeparator(in: url)?.upperBound ?? path.startIndex
        guard let slash = path[start...].lastIndex(of: "/") else { return "index.html" }
        let name = path[path.index(after: slash)...]
        return name.isEmpty ? "index.html" : String(name)
    }
}

extension AriaEntry.Option {
    private static let algorithms: [String: DigestAlgorithm] = [
        "md5": .md5, "sha-1": .sha1, "sha-256": .sha256, "sha-512": .sha512,
    ]

    private func problem(_ reason: String) -> BatchFailure {
        BatchFailure(.invalidLine, "“\(name)” \(reason)")
    }

    /// A path below the output folder, without slashes around it.
    fileprivate var path: String {
        get throws(BatchFailure) {
            let start = value.drop { $0 == "/" }
            guard let end = start.lastIndex(where: { $0 != "/" }) else {
                throw problem("is empty: name a file or folder below the output folder")
            }
            return String(start[...end])
        }
    }

    fileprivate var field: HTTPField {
        get throws(BatchFailure) {
            guard let colon = value.firstIndex(of: ":") else {
                throw problem("has no colon: write header=Name: value")
            }
            let name = String(value[..<colon])
            let content = value[value.index(after: colon)...].trimmingFieldWhitespace
            return try field(named: name, value: content)
        }
    }

    fileprivate func field(named name: String, value: String) throws(BatchFailure) -> HTTPField {
        do throws(TransportError) {
            return try HTTPField(validating: name, value: value)
        } catch {
            throw problem("can't be sent: \(error.message)")
        }
    }

    fileprivate var digest: ExpectedDigest {
        get throws(BatchFailure) {
            let parts = value.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let algorithm = Self.algorithms[parts[0].lowercased()] else {
                throw problem(
                    "is “\(value.prefix(40))”: write md5, sha-1, sha-256 or sha-512, =, and "
                        + "hexadecimal digits"
                )
            }
            guard let digest = ExpectedDigest(algorithm, hexadecimal: String(parts[1])) else {
                throw problem("needs \(2 * algorithm.byteCount) hexadecimal digits")
            }
            return digest
        }
    }
}
