import ArgumentParser
import BatchFetch
import FoundationEssentials

/// All settings there are: the options of the command, as the parser knows them.
struct SettingCatalog: Sendable {
    /// These say something about this one call, not about how it is done.
    private static let excluded: Set = ["help", "version", "config", "generate-completion-script"]

    /// What the parser tells of itself: what manuals and completions are made of, too.
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

    /// - Throws: ``BatchFailure/Code/configuration`` if the parser tells nothing that can be read.
    init() throws(BatchFailure) {
        let description = FetchCommand.helpDescription
        guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(description.utf8)) else {
            throw BatchFailure(
                .configuration,
                "settings of files and the environment can't be read"
            )
        }
        let arguments = tool.command.arguments ?? []
        let flags = Set(arguments.filter { $0.kind == "flag" }.compactMap(\.preferredName?.name))
        settings = arguments.compactMap { argument in
            guard argument.kind != "positional", let name = argument.preferredName?.name,
                !Self.excluded.contains(name)
            else { return nil }
            // What turns a flag off is no setting of its own.
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

    /// The setting of that long name.
    subscript(name: String) -> Setting? {
        byName[name].flatMap { $0.name == name ? $0 : nil }
    }

    /// What to write instead of a key that is no setting.
    func advice(for key: String) -> String {
        guard let setting = byName[key] else {
            return "use the long name of an option, without its hyphens"
        }
        return setting.offName == key ? "write \(setting.name) = false" : "write \(setting.name)"
    }

    /// Which settings arguments name. What stands behind `--` names none, and neither do values.
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
                    // Its value is the rest, or the next argument.
                    if place + 2 == argument.count { index += 1 }
                    break
                }
            }
        }
        return names
    }
}

extension FetchCommand {
    /// What the parser tells of the command, as JSON.
    static var helpDescription: String {
        do {
            _ = try parse(["--experimental-dump-help"])
            return ""
        } catch {
            return fullMessage(for: error)
        }
    }
}
