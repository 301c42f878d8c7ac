/// An option that a settings file or the environment may set.
struct Setting: Sendable, Hashable {
    /// The long name, without hyphens at the front.
    let name: String
    /// The other names, including one-letter ones, without hyphens at the front.
    let otherNames: Set<String>
    let isFlag: Bool
    /// Whether it may be given several times.
    let isRepeating: Bool

    /// The name that turns a flag off; `nil` if there is none.
    var offName: String? { otherNames.contains("no-\(name)") ? "no-\(name)" : nil }

    /// The environment variable: `BATCHFETCH_PER_HOST` for `per-host`.
    var variable: String {
        Self.prefix + name.replacing("-", with: "_").uppercased()
    }

    static let prefix = "BATCHFETCH_"
}

/// All settings.
struct SettingCatalog: Sendable {
    let settings: [Setting]
    private let byName: [String: Setting]

    init(_ settings: [Setting]) {
        self.settings = settings
        var byName: [String: Setting] = [:]
        for setting in settings {
            for name in setting.otherNames.union([setting.name]) { byName[name] = setting }
        }
        self.byName = byName
    }

    /// The setting with that long name; `nil` if there is none.
    subscript(name: String) -> Setting? {
        byName[name].flatMap { $0.name == name ? $0 : nil }
    }

    /// Advice for a key that is no setting.
    func advice(for key: String) -> String {
        guard let setting = byName[key] else {
            return "use the long name of an option, without its hyphens"
        }
        return setting.offName == key ? "write \(setting.name) = false" : "write \(setting.name)"
    }

    /// The settings in the arguments. Values, and everything after `--`, are skipped.
    func names(in arguments: [String]) -> Set<String> {
        var names: Set<String> = []
        var index = 0
        while index < arguments.count, arguments[index] != "--" {
            let argument = arguments[index]
            index += 1
            if argument.hasPrefix("--") {
                let name = argument.dropFirst(2).prefix { $0 != "=" }
                guard let setting = byName[String(name)] else { continue }
                names.insert(setting.name)
                if !setting.isFlag, !argument.contains("=") { index += 1 }
            } else if argument.hasPrefix("-") {
                for (place, letter) in argument.dropFirst().enumerated() {
                    guard let setting = byName[String(letter)] else { break }
                    names.insert(setting.name)
                    guard !setting.isFlag else { continue }
                    // The value is the rest of the argument, or the next argument.
                    if place + 2 == argument.count { index += 1 }
                    break
                }
            }
        }
        return names
    }
}
