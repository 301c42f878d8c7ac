import BatchFetch
import TOMLKit

/// Settings in a TOML file (<https://toml.io/en/v1.0.0>).
///
/// Keys are the long names of options.
///
///     concurrency = 512
///     output = "pages"
///     host-rule = ["api.example.org: rate=5/s", "*.example.net: concurrency=2"]
///     adaptive = true
struct SettingsFile {
    /// The arguments for each setting.
    let values: [Setting: [String]]

    private static let null = ["\0", "\\u0000", "\\U00000000"]

    /// Reads the text of the file at `path`, which error messages name.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` with the line of the error: an unknown key, or
    ///   a value of the wrong type.
    init(_ text: String, path: String, catalog: SettingCatalog) throws(BatchFailure) {
        // The TOML parser would end the text at a NUL.
        for (index, line) in Self.lines(of: text).enumerated()
        where Self.null.contains(where: { line.contains($0) }) {
            throw Self.failure(path, index + 1, "a setting contains a NUL: remove it")
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            let line = error.source.begin.line
            throw Self.failure(path, line, error.description)
        } catch {
            throw Self.failure(path, nil, "the file is not TOML")
        }
        var values: [Setting: [String]] = [:]
        for (key, value) in table {
            let line = Self.line(of: key, in: text)
            guard let setting = catalog[key] else {
                throw Self.failure(
                    path,
                    line,
                    "“\(key)” is not a setting: \(catalog.advice(for: key))"
                )
            }
            guard let texts = Self.values(of: value, for: setting) else {
                throw Self.failure(path, line, "“\(key)” needs \(Self.need(of: setting))")
            }
            values[setting] = texts
        }
        self.values = values
    }

    /// The arguments for a value; `nil` if it has the wrong type.
    private static func values(of value: any TOMLValueConvertible, for setting: Setting)
        -> [String]?
    {
        if setting.isFlag { return value.bool.map { ["\($0)"] } }
        if setting.isRepeating, let array = value.array {
            var texts: [String] = []
            for element in array {
                guard element.type != .bool, let text = text(of: element) else { return nil }
                texts.append(text)
            }
            return texts
        }
        return text(of: value).map { [$0] }
    }

    private static func text(of value: any TOMLValueConvertible) -> String? {
        switch value.type {
        case .string: value.string
        case .int: value.int.map { "\($0)" }
        case .double: value.double.map { "\($0)" }
        // The option's own error message lists the valid values.
        case .bool: value.bool.map { "\($0)" }
        default: nil
        }
    }

    private static func need(of setting: Setting) -> String {
        if setting.isFlag { return "true or false" }
        return setting.isRepeating
            ? "a string, or an array of strings" : "a string or a number"
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// The line of a key, from 1; the TOML parser doesn't report it.
    private static func line(of key: String, in text: String) -> Int? {
        for (index, line) in lines(of: text).enumerated() {
            let words = line.prefix { $0 != "=" && $0 != "#" && $0 != "." }
            let name = words.filter { !" \t\"'[]".contains($0) }
            if name == key { return index + 1 }
        }
        return nil
    }

    private static func failure(_ path: String, _ line: Int?, _ reason: String) -> BatchFailure {
        let place = line.map { ", line \($0)" } ?? ""
        return BatchFailure(.configuration, "“\(path)”\(place): \(reason)")
    }
}
