import BatchFetch

/// Settings in the environment: `BATCHFETCH_PER_HOST=2` means `--per-host 2`.
struct SettingsEnvironment {
    /// The variable with the path of the settings file.
    static let file = Setting.prefix + "CONFIG"

    /// The arguments for each setting.
    let values: [Setting: [String]]

    /// Reads the variables that start with `BATCHFETCH_`.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an unknown variable, or a value of the
    ///   wrong type.
    init(_ environment: [String: String], catalog: SettingCatalog) throws(BatchFailure) {
        var settings: [String: Setting] = [:]
        for setting in catalog.settings { settings[setting.variable] = setting }
        var values: [Setting: [String]] = [:]
        for (name, value) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix(Setting.prefix) && name != Self.file {
            guard let setting = settings[name] else {
                throw BatchFailure(
                    .configuration,
                    "the environment variable \(name) is not a setting: see batchfetch --help"
                )
            }
            // An empty variable counts as unset.
            if value.isEmpty { continue }
            if setting.isFlag {
                guard let isOn = Self.truth(of: value) else {
                    throw BatchFailure(.configuration, "\(name) is “\(value)”: use true or false")
                }
                values[setting] = ["\(isOn)"]
            } else if setting.isRepeating {
                values[setting] = value.split(separator: ";").map { Self.trimmed($0) }
            } else {
                values[setting] = [value]
            }
        }
        self.values = values
    }

    private static func truth(of text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "yes", "on": true
        case "0", "false", "no", "off": false
        default: nil
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        let end = start.lastIndex { $0 != " " }
        return end.map { String(start[...$0]) } ?? ""
    }
}
