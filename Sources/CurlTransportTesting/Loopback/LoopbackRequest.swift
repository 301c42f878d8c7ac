/// A request as the server received it.
public struct LoopbackRequest: Sendable {
    /// The connection of the request, counted from 0 in the order of acceptance.
    public let connection: Int
    /// The method, such as `GET`.
    public let method: String
    /// The request target: mostly the path with the query.
    public let target: String
    /// The version of the request line, such as `HTTP/1.1`.
    public let version: String
    /// Everything after the request line, without line ends.
    public let headerLines: [String]
    /// The recorded content, without its framing.
    public internal(set) var body: [UInt8] = []
    /// The length of the body, including bytes that aren't recorded.
    public internal(set) var bodyByteCount = 0
    /// The trailer fields, as lines.
    public internal(set) var trailerLines: [String] = []
    /// Whether the whole body has been received.
    public internal(set) var isComplete = false

    init?(connection: Int, head: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
        let words = lines.first?.split(separator: " ").map(String.init) ?? []
        guard words.count == 3 else { return nil }
        self.connection = connection
        (method, target, version) = (words[0], words[1], words[2])
        headerLines = Array(lines.dropFirst())
    }

    /// The target without its query.
    public var path: String { target.split(separator: "?").first.map(String.init) ?? "" }

    /// The first value of a header field; the name is case-insensitive.
    public func header(_ name: String) -> String? { headers(name).first }

    /// All values of a header field in order; the name is case-insensitive.
    public func headers(_ name: String) -> [String] {
        headerLines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            guard line[..<colon].lowercased() == name.lowercased() else { return nil }
            let value = line[line.index(after: colon)...]
            return String(value.drop { " \t".contains($0) })
        }
    }

    /// The content as text. Bytes that aren't UTF-8 are replaced.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// Whether the client requests that the connection is closed after the response.
    var wantsClose: Bool {
        if version == "HTTP/1.0" { return header("Connection")?.lowercased() != "keep-alive" }
        return header("Connection")?.lowercased() == "close"
    }
}
