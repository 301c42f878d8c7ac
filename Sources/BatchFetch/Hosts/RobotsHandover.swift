internal import FoundationEssentials

/// The rules of a host's `robots.txt`, for the process that sends it requests next.
package struct RobotsHandover: Sendable, Hashable {
    /// The rules as JSON.
    private struct Stored: Codable {
        let token: String
        /// Each begins with `+` if it allows, and with `-` if it disallows.
        let rules: [String]
        /// In seconds.
        let crawlDelay: Double?
    }

    /// The maximum number of bytes of ``text``; the next process fetches longer rules itself.
    package static let maximumSize = 64 * 1024

    /// The product token whose rules they are.
    let token: String
    let file: RobotsFile
    /// The time for which the rules are valid from now on.
    package let lifetime: Duration

    init(_ file: RobotsFile, token: String, lifetime: Duration = RobotsCache.lifetime) {
        self.file = file
        self.token = token
        self.lifetime = lifetime
    }

    /// Decodes ``text``; `nil` if it is damaged.
    package init?(text: String, lifetime: Duration) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)) else {
            return nil
        }
        var rules: [RobotsRule] = []
        for text in stored.rules {
            guard let rule = RobotsRule(text: text) else { return nil }
            rules.append(rule)
        }
        let delay = stored.crawlDelay.flatMap { RobotsFile.crawlDelay($0) }
        self.init(
            RobotsFile(rules: rules, crawlDelay: delay),
            token: stored.token,
            lifetime: lifetime
        )
    }

    /// The `Crawl-delay`; `nil` if the file has none.
    package var crawlDelay: Duration? { file.crawlDelay }

    /// The rules as JSON; `nil` if they are longer than ``maximumSize``.
    package var text: String? {
        let stored = Stored(
            token: token,
            rules: file.rules.map(\.text),
            crawlDelay: file.crawlDelay.map { $0 / .seconds(1) }
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(stored), data.count <= Self.maximumSize else {
            return nil
        }
        return String(decoding: data, as: UTF8.self)
    }
}
