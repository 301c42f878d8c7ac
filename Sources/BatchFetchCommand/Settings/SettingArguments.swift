import BatchFetch
import FoundationEssentials

/// The command's arguments, with the settings of files and the environment.
///
/// An argument takes precedence over an environment variable, and that over a file. This applies to
/// mutually exclusive settings too: `--discard` overrides a file's `output`.
struct SettingArguments {
    /// Groups of mutually exclusive settings; the source with the highest precedence wins.
    private static let exclusive: [Set<String>] = [
        ["output", "discard", "stdout-jsonl"], ["tar", "warc", "stdout-jsonl"],
        ["results", "stdout-jsonl"], ["journal", "overwrite-results"], ["user", "bearer-file"],
        ["aws-sigv4", "bearer-file"],
    ]

    /// Arguments that were added for one setting.
    struct Added {
        let arguments: [String]
        /// Where the setting is, for messages: a line of a file, or a variable of the environment.
        let place: String
    }

    /// The given arguments, after the added ones.
    let arguments: [String]
    /// The sources of added arguments, for messages; empty if there are none.
    let sources: [String]
    /// The added arguments of each setting, in their order.
    let added: [Added]

    /// - Throws: ``BatchFailure/Code/configuration``.
    init(
        _ given: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(BatchFailure) {
        let path = Self.path(in: given) ?? environment[SettingsEnvironment.file]
        let isInEnvironment = environment.keys.contains { $0.hasPrefix(Setting.prefix) }
        guard isInEnvironment || path != nil else {
            arguments = given
            sources = []
            added = []
            return
        }
        let catalog = try SettingCatalog()
        var taken = Self.excluded(by: catalog.names(in: given))
        var added: [Added] = []
        var sources: [String] = []
        func add(
            _ values: [Setting: [String]],
            from source: String,
            place: (Setting) -> String
        ) {
            let free = values.filter { !taken.contains($0.key.name) }
            let new = free.sorted { $0.key.name < $1.key.name }
                .map {
                    Added(arguments: Self.arguments(for: $0.key, $0.value), place: place($0.key))
                }
                .filter { !$0.arguments.isEmpty }
            // Later arguments take precedence.
            added = new + added
            if !new.isEmpty { sources.append(source) }
            taken.formUnion(Self.excluded(by: Set(free.keys.map(\.name))))
        }
        let variables = try SettingsEnvironment(environment, catalog: catalog)
        add(variables.values, from: "the environment") { "the variable \($0.variable)" }
        if let path, !path.isEmpty {
            let text = try TextFile.text(of: path)
            let file = try SettingsFile(text, path: path, catalog: catalog)
            add(file.values, from: "“\(path)”") { "“\(path)”, line \(file.lines[$0] ?? 1)" }
        }
        arguments = added.flatMap(\.arguments) + given
        self.sources = sources
        self.added = added
    }

    /// The names, and those that they exclude.
    private static func excluded(by names: Set<String>) -> Set<String> {
        exclusive.filter { !$0.isDisjoint(with: names) }.reduce(names) { $0.union($1) }
    }

    private static func arguments(for setting: Setting, _ values: [String]) -> [String] {
        guard setting.isFlag else {
            // The parser takes an empty value only as an argument of its own.
            return values.flatMap {
                $0.isEmpty ? ["--\(setting.name)", ""] : ["--\(setting.name)=\($0)"]
            }
        }
        if values == ["true"] { return ["--\(setting.name)"] }
        return setting.offName.map { ["--\($0)"] } ?? []
    }

    /// The settings file in the arguments; `nil` without one.
    private static func path(in arguments: [String]) -> String? {
        var path: String?
        var isNext = false
        for argument in arguments {
            if isNext { path = argument }
            isNext = argument == "--config"
            if argument == "--" { break }
            if argument.hasPrefix("--config=") { path = String(argument.dropFirst(9)) }
        }
        return path
    }
}
