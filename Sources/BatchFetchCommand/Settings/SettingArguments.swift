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
        ["results", "stdout-jsonl"], ["journal", "overwrite-results"],
    ]

    /// The given arguments, after the added ones.
    let arguments: [String]
    /// The sources of added arguments, for messages; empty if there are none.
    let sources: [String]

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
            return
        }
        let catalog = try SettingCatalog()
        var taken = Self.excluded(by: catalog.names(in: given))
        var added: [String] = []
        var sources: [String] = []
        func add(_ values: [Setting: [String]], from source: String) {
            let free = values.filter { !taken.contains($0.key.name) }
            let texts = free.sorted { $0.key.name < $1.key.name }
                .flatMap { Self.arguments(for: $0.key, $0.value) }
            // Later arguments take precedence.
            added = texts + added
            if !texts.isEmpty { sources.append(source) }
            taken.formUnion(Self.excluded(by: Set(free.keys.map(\.name))))
        }
        let variables = try SettingsEnvironment(environment, catalog: catalog)
        add(variables.values, from: "the environment")
        if let path, !path.isEmpty {
            let text = try TextFile.text(of: path)
            let file = try SettingsFile(text, path: path, catalog: catalog)
            add(file.values, from: "“\(path)”")
        }
        arguments = added + given
        self.sources = sources
    }

    /// The names, and those that they exclude.
    private static func excluded(by names: Set<String>) -> Set<String> {
        exclusive.filter { !$0.isDisjoint(with: names) }.reduce(names) { $0.union($1) }
    }

    private static func arguments(for setting: Setting, _ values: [String]) -> [String] {
        guard setting.isFlag else { return values.map { "--\(setting.name)=\($0)" } }
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
