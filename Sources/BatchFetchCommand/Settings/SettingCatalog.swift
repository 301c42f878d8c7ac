import ArgumentParser
import BatchFetch
import FoundationEssentials

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

/// All settings: the options of the command, as the argument parser lists them.
struct SettingCatalog: Sendable {
    /// Options that concern a single call and can't be settings.
    private static let excluded: Set = ["help", "version", "config", "generate-completion-script"]

    /// The parser's description of the command, as for manuals and completions.
    private struct Tool: Decodable {
        struct Command: Decodable {
            let arguments: [Argument]?
        }

        struct Argument: Decodable {
            struct Name: Decodable {
                let name: String
            }

            let kind: String
            let isRepeating: Bool
            let names: [Name]?
            let preferredName: Name?
        }

        let command: Command
    }

    let settings: [Setting]
    private let byName: [String: Setting]

    /// Reads the settings from the parser.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if its description can't be decoded.
    init() throws(BatchFailure) {
        let description = FetchCommand.helpDescription
        guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(description.utf8)) else {
            throw BatchFailure(
                .configuration,
                "can't read settings from files and the environment"
            )
        }
        let arguments = tool.command.arguments ?? []
        let flags = Set(arguments.filter { $0.kind == "flag" }.compactMap(\.preferredName?.name))
        settings = arguments.compactMap { argument in
            guard argument.kind != "positional", let name = argument.preferredName?.name,
                !Self.excluded.contains(name)
            else { return nil }
            // An option that turns a flag off is not a separate setting.
            if name.hasPrefix("no-"), flags.contains(String(name.dropFirst(3))) { return nil }
            let names = (argument.names ?? []).map(\.name) + ["no-\(name)"].filter(flags.contains)
            return Setting(
                name: name,
                otherNames: Set(names).subtracting([name]),
                isFlag: argument.kind == "flag",
                isRepeating: argument.isRepeating
            )
        }
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

extension FetchCommand {
    /// The parser's description of the command, as JSON.
    static var helpDescription: String {
        do {
            _ = try parse(["--experimental-dump-help"])
            return ""
        } catch {
            return fullMessage(for: error)
        }
    }
}
