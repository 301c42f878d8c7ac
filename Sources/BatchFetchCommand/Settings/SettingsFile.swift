import BatchFetch

/// Settings in a TOML file.
///
/// Keys are the long names of options. See ``SettingsReader`` for the values.
///
///     concurrency = 512
///     output = "pages"
///     host-rule = ["api.example.org: rate=5/s", "*.example.net: concurrency=2"]
///     adaptive = true
struct SettingsFile {
    /// The arguments for each setting.
    let values: [Setting: [String]]
    /// The line of each setting, from 1.
    let lines: [Setting: Int]

    /// Reads the text of the file at `path`, which error messages name.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` with the line of the mistake: one of the
    ///   format, an unknown key, or a value of the wrong type.
    init(_ text: String, path: String, catalog: SettingCatalog) throws(BatchFailure) {
        do throws(SettingsReader.Mistake) {
            (values, lines) = try Self.values(in: text, catalog)
        } catch {
            throw BatchFailure(
                .configuration,
                "“\(path)”, line \(error.line): \(error.reason)"
            )
        }
    }

    private static func values(
        in text: String,
        _ catalog: SettingCatalog
    ) throws(SettingsReader.Mistake) -> (values: [Setting: [String]], lines: [Setting: Int]) {
        var reader = SettingsReader(text)
        var values: [Setting: [String]] = [:]
        var lines: [Setting: Int] = [:]
        while let (key, line, value) = try reader.next() {
            func mistake(_ reason: String) -> SettingsReader.Mistake {
                SettingsReader.Mistake(line: line, reason: "“\(key)” \(reason)")
            }
            guard let setting = catalog[key] else {
                throw mistake("is not a setting: \(catalog.advice(for: key))")
            }
            guard let texts = Self.values(of: value, for: setting) else {
                throw mistake("needs \(need(of: setting))")
            }
            guard values[setting] == nil else {
                throw mistake("was set before: remove one of the lines")
            }
            values[setting] = texts
            lines[setting] = line
        }
        return (values, lines)
    }

    /// The arguments for a value; `nil` if it has the wrong type.
    private static func values(of value: SettingsReader.Value, for setting: Setting) -> [String]? {
        if setting.isFlag {
            guard case .boolean(let isOn) = value else { return nil }
            return ["\(isOn)"]
        }
        guard case .array(let elements) = value else { return text(of: value).map { [$0] } }
        guard setting.isRepeating else { return nil }
        var texts: [String] = []
        for element in elements {
            if case .boolean = element { return nil }
            guard let text = text(of: element) else { return nil }
            texts.append(text)
        }
        return texts
    }

    private static func text(of value: SettingsReader.Value) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        // The option's own error message lists the valid values.
        case .boolean(let isOn): "\(isOn)"
        case .array: nil
        }
    }

    private static func need(of setting: Setting) -> String {
        if setting.isFlag { return "true or false" }
        return setting.isRepeating
            ? "a string, or an array of strings" : "a string or a number"
    }
}
