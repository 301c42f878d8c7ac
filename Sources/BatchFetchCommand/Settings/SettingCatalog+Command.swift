import ArgumentParser
import BatchFetch
import FoundationEssentials

extension SettingCatalog {
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
        let settings: [Setting] = arguments.compactMap { argument in
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
        self.init(settings)
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
