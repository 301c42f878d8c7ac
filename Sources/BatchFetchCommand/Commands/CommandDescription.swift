import ArgumentParser
import BatchFetch
import FoundationEssentials

/// The parser's description of a command: what its declaration says, for settings and the manual.
struct CommandDescription: Decodable, Sendable {
    /// An option, a flag or a positional argument.
    struct Argument: Decodable, Sendable {
        enum Kind: String, Decodable, Sendable {
            case positional, option, flag
        }

        let kind: Kind
        let shouldDisplay: Bool
        /// The title of the group of options; `nil` for options without a group.
        let sectionTitle: String?
        let isRepeating: Bool
        let names: [Name]?
        /// The long name, if there is one.
        let preferredName: Name?
        let valueName: String?
        let defaultValue: String?
        /// All values of an option that has a fixed set of them.
        let allValues: [String]?
        let abstract: String?
    }

    struct Name: Decodable, Sendable {
        enum Kind: String, Decodable, Sendable {
            case long, short, longWithSingleDash
        }

        let kind: Kind
        /// Without hyphens at the front.
        let name: String

        /// The name as users write it: `--output`, `-o`.
        var text: String { kind == .long ? "--\(name)" : "-\(name)" }
    }

    private struct Tool: Decodable {
        let command: CommandDescription
    }

    let abstract: String?
    let discussion: String?
    let arguments: [Argument]?

    /// - Throws: ``BatchFailure/Code/configuration`` if the parser's description can't be decoded.
    init<Command: ParsableCommand>(of command: Command.Type) throws(BatchFailure) {
        let text = Command.helpDescription
        guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(text.utf8)) else {
            throw BatchFailure(
                .configuration,
                "can't read the options' declarations: settings and the manual page need them"
            )
        }
        self = tool.command
    }
}

extension CommandDescription.Argument {
    /// The flag that this one turns off, without hyphens: `http2` for `--no-http2`.
    ///
    /// `nil` if this isn't the second name of a flag.
    func inverted(among flags: Set<String>) -> String? {
        guard kind == .flag, let name = preferredName?.name, name.hasPrefix("no-") else {
            return nil
        }
        let flag = String(name.dropFirst(3))
        return flags.contains(flag) ? flag : nil
    }
}

extension ParsableCommand {
    /// The parser's description of the command, as JSON.
    fileprivate static var helpDescription: String {
        do {
            _ = try parse(["--experimental-dump-help"])
            return ""
        } catch {
            return fullMessage(for: error)
        }
    }
}
