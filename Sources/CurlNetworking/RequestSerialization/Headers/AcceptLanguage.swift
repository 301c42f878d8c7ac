/// What `Accept-Language` says of the languages that a process' environment asks for.
enum AcceptLanguage {
    /// At most six languages, each liked less than the one before: `de-AT;q=1, en-GB;q=0.9`. English
    /// where the environment asks for none.
    static func fieldValue(of environment: [String: String]) -> String {
        let languages = languages(of: environment)
        return (languages.isEmpty ? ["en"] : languages).prefix(6).enumerated()
            .map { index, language in
                "\(language);q=\(index == 0 ? "1" : "0.\(10 - index)")"
            }
            .joined(separator: ", ")
    }

    /// As messages of programs are chosen: the locale is that of `LC_ALL`, else of `LC_MESSAGES`, else
    /// of `LANG`; unless it is the C locale, the languages of `LANGUAGE` go before it.
    static func languages(of environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = locale.flatMap(tag(ofLocale:)) else { return [] }
        let preferred = (environment["LANGUAGE"] ?? "").split(separator: ":")
            .compactMap { tag(ofLocale: String($0)) }
        var known: Set<String> = []
        return (preferred + [locale]).filter { known.insert($0).inserted }
    }

    /// The language tag (RFC 5646) of a locale's name, `de_AT.UTF-8@euro`; `nil` for the C locale, and
    /// for what is none.
    private static func tag(ofLocale name: String) -> String? {
        let parts = name.split(separator: "@", maxSplits: 1)
        let base = parts.first?.split(separator: ".").first ?? ""
        guard base != "C", base != "POSIX" else { return nil }
        var subtags = base.split { $0 == "_" || $0 == "-" }.map(String.init)
        let isTag = subtags.allSatisfy { subtag in
            subtag.count <= 8 && subtag.utf8.allSatisfy { isLetterOrDigit($0) }
        }
        guard isTag, let language = subtags.first, language.count >= 2 else { return nil }
        let scripts = ["latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva"]
        if parts.count == 2, let script = scripts[String(parts[1]).lowercased()] {
            subtags.insert(script, at: 1)
        }
        return subtags.joined(separator: "-")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            false
        }
    }
}
