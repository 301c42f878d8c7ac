/// The rules of a `robots.txt` (RFC 9309) for one crawler.
struct RobotsFile: Sendable, Hashable {
    /// The maximum number of bytes that are parsed.
    static let maximumSize = 500 * 1024

    private(set) var rules: [RobotsRule] = []
    /// The `Crawl-delay`, which is not in the RFC but widely used; capped at one day.
    private(set) var crawlDelay: Duration?

    /// Creates a file that allows every path.
    init() {}

    init(rules: [RobotsRule], crawlDelay: Duration?) {
        self.rules = rules
        self.crawlDelay = crawlDelay
    }

    /// Parses a file for the product token `token`.
    ///
    /// Uses the groups that name the token, or otherwise those for all crawlers (`*`).
    init(_ bytes: [UInt8], token: String) {
        var own = RobotsFile()
        var general = RobotsFile()
        var isOwnFound = false
        var (isOwn, isGeneral, isNaming) = (false, false, false)
        for (name, value) in Self.fields(bytes) {
            if name == "user-agent" {
                if !isNaming { (isOwn, isGeneral) = (false, false) }
                isNaming = true
                if value == "*" {
                    isGeneral = true
                } else if Self.token(of: value) == token.lowercased() {
                    isOwn = true
                    isOwnFound = true
                }
                continue
            }
            guard ["allow", "disallow", "crawl-delay"].contains(name) else { continue }
            isNaming = false
            if isOwn { own.add(name, value) }
            if isGeneral { general.add(name, value) }
        }
        self = isOwnFound ? own : general
    }

    /// Whether a path, with its query, may be fetched.
    ///
    /// The longest matching rule applies; of two equally long ones the one that allows.
    func allows(_ path: String) -> Bool {
        guard path != "/robots.txt", !rules.isEmpty else { return true }
        let bytes = RobotsRule.normalized(path.hasPrefix("/") ? path : "/\(path)")
        var best: RobotsRule?
        for rule in rules where rule.length >= best?.length ?? 0 {
            guard rule.fits(bytes) else { continue }
            if rule.isAllowed || rule.length != best?.length { best = rule }
        }
        return best?.isAllowed ?? true
    }

    /// The delay of so many seconds; `nil` for an invalid number.
    static func crawlDelay(_ seconds: Double) -> Duration? {
        // More than a day has no practical use.
        seconds >= 0 ? .seconds(min(seconds, 86_400)) : nil
    }

    private mutating func add(_ name: String, _ value: String) {
        if name == "crawl-delay" {
            crawlDelay = Double(value).flatMap { Self.crawlDelay($0) }
        } else if !value.isEmpty {
            rules.append(RobotsRule(value, isAllowed: name == "allow"))
        }
    }

    /// The `name: value` lines, without comments.
    private static func fields(_ bytes: [UInt8]) -> [(name: String, value: String)] {
        var text = bytes.prefix(maximumSize)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        return text.split { $0 == 0x0A || $0 == 0x0D }.compactMap { line in
            let content = line.prefix { $0 != UInt8(ascii: "#") }
            guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return (trimmed(content[..<colon]).lowercased(), trimmed(content[(colon + 1)...]))
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }

    /// The product token of a value: `Example/1.0` gives `example`.
    private static func token(of value: String) -> String {
        value.prefix { $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "-") }.lowercased()
    }
}
