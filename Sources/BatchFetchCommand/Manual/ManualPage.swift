import ArgumentParser
import BatchFetch

/// The manual page of the command, for man(1).
///
/// Options come from their declarations, and the other sections from the commands' help.
struct ManualPage {
    /// The order of sections (man-pages(7)); others stand before the exit status.
    private static let order = ["EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"]

    /// The source in the macros of man(7), in ASCII.
    var source: String { roff.text }

    private var roff = RoffText(command: "batchfetch", version: FetchCommand.version)

    /// - Throws: ``BatchFailure/Code/configuration`` if the declarations can't be read.
    init() throws(BatchFailure) {
        let fetch = try CommandDescription(of: FetchCommand.self)
        let help = HelpText(fetch.discussion ?? "")
        roff.section("NAME")
        roff.summary("batchfetch", Self.phrase(fetch.abstract ?? ""))
        roff.section("SYNOPSIS")
        roff.lines((FetchCommand.configuration.usage ?? "").split(separator: "\n").map(Self.usage))
        roff.section("DESCRIPTION")
        roff.blocks(help.introduction)
        roff.section("OPTIONS")
        addArguments(of: fetch, hasGroups: true)
        roff.section("COMMANDS")
        try addCommand(ReportCommand.self)
        try addCommand(FleetCommand.self)
        try addCommand(DemoCommand.self)
        try addCommand(ManualCommand.self)
        addCompletions()
        for section in help.sections where !Self.order.contains(section.title) {
            add(section)
        }
        for title in Self.order {
            if title == "ENVIRONMENT" { try addEnvironment() }
            for section in help.sections where section.title == title { add(section) }
        }
    }

    /// A sentence as the phrase that follows a name.
    private static func phrase(_ sentence: String) -> String {
        let words = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// A line of the usage, with its first word in bold type.
    private static func usage(_ line: Substring) -> String {
        let name = line.prefix { $0 != " " }
        return RoffText.bold(String(name)) + RoffText.escaped(String(line.dropFirst(name.count)))
    }

    private mutating func add(_ section: HelpText.Section) {
        roff.section(section.title)
        roff.blocks(section.blocks)
    }

    // MARK: Arguments

    /// Adds the positional arguments, and the options with their groups as subsections.
    private mutating func addArguments(of command: CommandDescription, hasGroups: Bool) {
        let all = (command.arguments ?? []).filter(\.shouldDisplay)
        let flags = Set(all.filter { $0.kind == .flag }.compactMap(\.preferredName?.name))
        let shown = all.filter { $0.inverted(among: flags) == nil }
        for argument in shown where argument.kind == .positional { add(argument, flags) }
        let options = shown.filter { $0.kind != .positional }
        for option in options where option.sectionTitle == nil { add(option, flags) }
        var titles: [String] = []
        for title in options.compactMap(\.sectionTitle) where !titles.contains(title) {
            titles.append(title)
        }
        for title in titles {
            if hasGroups { roff.subsection(title) }
            for option in options where option.sectionTitle == title { add(option, flags) }
        }
    }

    private mutating func add(_ argument: CommandDescription.Argument, _ flags: Set<String>) {
        let value = RoffText.italic(argument.valueName ?? "value")
        guard argument.kind != .positional else {
            let more = argument.isRepeating ? " ..." : ""
            return roff.term(value + more, Self.explanation(of: argument))
        }
        var names = (argument.names ?? []).map(\.text).sorted { $0.count < $1.count }
        if let name = argument.preferredName?.name, flags.contains("no-\(name)") {
            names.append("--no-\(name)")
        }
        let term = names.map { RoffText.bold($0) }.joined(separator: ", ")
        roff.term(
            argument.kind == .option ? "\(term) \(value)" : term,
            Self.explanation(of: argument)
        )
    }

    /// What the help says about the argument, with its values and its default value.
    private static func explanation(of argument: CommandDescription.Argument) -> String {
        var facts: [String] = []
        if let values = argument.allValues, !values.isEmpty {
            facts.append("values: \(values.joined(separator: ", "))")
        }
        if let value = argument.defaultValue { facts.append("default: \(value)") }
        let text = argument.abstract ?? ""
        return facts.isEmpty ? text : "\(text) (\(facts.joined(separator: "; ")))"
    }

    // MARK: Commands

    private mutating func addCommand<Command: ParsableCommand>(
        _ command: Command.Type
    ) throws(BatchFailure) {
        let description = try CommandDescription(of: command)
        let help = HelpText(description.discussion ?? "")
        roff.subsection(command.configuration.commandName ?? "")
        roff.paragraph(description.abstract ?? "")
        roff.blocks(help.introduction)
        addArguments(of: description, hasGroups: false)
        for section in help.sections { roff.blocks(section.blocks) }
    }

    private mutating func addCompletions() {
        let shells = CompletionShell.allCases.map(\.rawValue)
        roff.subsection("batchfetch --generate-completion-script SHELL")
        roff.paragraph(
            "Prints a script with which a shell completes options: \(shells.joined(separator: ", "))."
        )
    }

    // MARK: Environment

    private mutating func addEnvironment() throws(BatchFailure) {
        roff.section("ENVIRONMENT")
        roff.term(
            RoffText.bold(SettingsEnvironment.file),
            "Path of a file of settings, unless --config names one."
        )
        for variable in EnvironmentVariable.all {
            let names = variable.names.map { RoffText.bold($0) }
            roff.term(names.joined(separator: ", "), variable.effect)
        }
        let settings = try SettingCatalog().settings.sorted { $0.name < $1.name }
        let kinds: [(settings: [Setting], effect: String)] = [
            (
                settings.filter { !$0.isFlag && !$0.isRepeating },
                "The option's value. An empty variable counts as unset, here and below."
            ),
            (
                settings.filter { !$0.isFlag && $0.isRepeating },
                "The option's values, with semicolons between them."
            ),
            (
                settings.filter(\.isFlag),
                "true, yes, on or 1 turns a flag on; false, no, off or 0 turns it off."
            ),
        ]
        for kind in kinds where !kind.settings.isEmpty {
            roff.term(
                kind.settings.map { RoffText.bold($0.variable) }.joined(separator: ", "),
                kind.effect
            )
        }
    }
}
