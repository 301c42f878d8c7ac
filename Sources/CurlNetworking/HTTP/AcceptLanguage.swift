/// The `Accept-Language` value for the languages of a process's environment.
enum AcceptLanguage {
    /// The field value: at most six languages with decreasing quality values.
    ///
    /// An example is `de-AT;q=1, en-GB;q=0.9`. The value is English if the environment names no
    /// language.
    static func fieldValue(of environment: [String: String]) -> String {
        let languages = languages(of: environment)
        return (languages.isEmpty ? ["en"] : languages).prefix(6).enumerated()
            .map { index, language in
                "\(language);q=\(index == 0 ? "1" : "0.\(10 - index)")"
            }
            .joined(separator: ", ")
    }

    /// The languages of the environment, in order of preference.
    ///
    /// The rules are those with which programs select messages. The locale is that of `LC_ALL`,
    /// otherwise of `LC_MESSAGES`, otherwise of `LANG`. Unless it is the C locale, the languages of
    /// `LANGUAGE` precede it.
    static func languages(of environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = locale.flatMap(tag(ofLocale:)) else { return [] }
        let preferred = (environment["LANGUAGE"] ?? "").split(separator: ":")
            .compactMap { tag(ofLocale: String($0)) }
        var known: Set<String> = []
        return (preferred + [locale]).filter { known.insert($0).inserted }
    }

    /// The language tag (RFC 5646) of a locale name such as `de_AT.UTF-8@euro`.
    ///
    /// `nil` for the C locale, and for an invalid name.
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
