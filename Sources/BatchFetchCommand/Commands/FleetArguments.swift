import ArgumentParser
import BatchFetch

/// The arguments of `batchfetch fleet`, divided into its own and those of a run or of lists.
struct FleetArguments: Sendable {
    /// The action, the name of the run, and options of ``FleetCommand``.
    private(set) var own: [String] = []
    /// The options and lists for ``FetchCommand``.
    private(set) var others: [String] = []

    /// How many of the action and the name were found.
    private var nameCount = 0

    private static let ownFlags: Set = ["--json", "--watch", "--wait", "--help", "-h"]
    /// The names of options with values, and how the help writes the values.
    private static let ownOptions = [
        "--queue": "database", "--state": "folder", "--lease": "time",
    ]

    /// Divides the arguments after `fleet`.
    ///
    /// - Throws: ``ValidationError`` if an option of ``FleetCommand`` lacks its value.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if let valueName = Self.ownOptions[argument] {
                guard let value = rest.popFirst() else {
                    throw ValidationError("Missing value for '\(argument) <\(valueName)>'")
                }
                own.append("\(argument)=\(value)")
            } else if Self.ownFlags.contains(argument)
                || Self.ownOptions.keys.contains(where: { argument.hasPrefix("\($0)=") })
            {
                own.append(argument)
            } else if nameCount < 2, others.isEmpty, !argument.hasPrefix("-") {
                nameCount += 1
                own.append(argument)
            } else {
                others.append(argument)
            }
        }
    }

    /// The options of a run that fleets don't have, by the titles of their groups.
    private static let refusedGroups: Set = ["Input", "Resuming"]

    /// Options that write what a fleet stores, or that a worker doesn't have.
    private static let refusedNames: Set = [
        "--results", "-r", "--overwrite-results", "--stdout-jsonl", "--dry-run", "--report",
        "--summary-json", "--fail-on", "--config",
    ]

    /// The command with the options of a run. Opens nothing.
    ///
    /// - Parameter isWorker: Whether they are those of one worker, which has a port for metrics.
    /// - Throws: ``ValidationError`` for an option that fleets don't have.
    static func run(_ options: [String], isWorker: Bool = false) throws -> FetchCommand {
        let description = try CommandDescription(of: FetchCommand.self)
        let grouped = names(of: description) { refusedGroups.contains($0 ?? "") }
        for option in options where option.hasPrefix("-") && option != "-" {
            let name = name(of: option)
            if grouped.contains(name) || refusedNames.contains(name) {
                throw ValidationError("A run of a fleet has no option \(name): remove it.")
            }
            guard isWorker || name != "--metrics" else {
                throw ValidationError(
                    "Each worker has a port for metrics: give --metrics to fleet work."
                )
            }
        }
        let command = try parse(options + ["-"])
        guard command.source.files == ["-"] else {
            let lists = command.source.files.dropLast().joined(separator: " ")
            throw ValidationError("“\(lists)” is no option: add lists with batchfetch fleet add.")
        }
        guard command.target.printed.isEmpty else {
            throw ValidationError("A worker can't print bodies (--output -): name a folder.")
        }
        try checkLimits(of: command)
        return command
    }

    /// Refuses limits of several hosts together: each host may belong to another worker.
    private static func checkLimits(of command: FetchCommand) throws {
        if let rule = command.politeness.hostRule.first(where: \.isShared) {
            throw ValidationError(
                "The hosts of a rule with “all” (\(rule.pattern)) may belong to several workers of a "
                    + "fleet: give each host a limit of its own."
            )
        }
        for (isSet, option, group) in [
            (command.politeness.perDomain != nil, "--per-domain", "a domain"),
            (command.politeness.perAddress != nil, "--per-address", "an address"),
        ] where isSet {
            throw ValidationError(
                "The hosts of \(group) may belong to several workers of a fleet: remove \(option)."
            )
        }
    }

    /// The command with lists and the options of lists.
    ///
    /// - Throws: ``ValidationError`` for other options.
    static func lists(_ arguments: [String]) throws -> FetchCommand {
        let description = try CommandDescription(of: FetchCommand.self)
        let allowed = names(of: description) { $0 == "Input" }
        for option in arguments where option.hasPrefix("-") && option != "-" {
            let name = name(of: option)
            guard allowed.contains(name), name != "--report-duplicates" else {
                throw ValidationError("fleet add has no option \(name): give it to fleet create.")
            }
        }
        // The bodies' place is that of the run.
        return try parse(["--discard"] + arguments)
    }

    /// Parses arguments of ``FetchCommand``, whose errors are then those of ``FleetCommand``.
    private static func parse(_ arguments: [String]) throws -> FetchCommand {
        do {
            return try FetchCommand.parse(arguments)
        } catch {
            throw ValidationError(FetchCommand.message(for: error))
        }
    }

    private static func name(of option: String) -> String {
        String(option.prefix { $0 != "=" })
    }

    private static func names(
        of description: CommandDescription,
        inGroup isIncluded: (String?) -> Bool
    ) -> Set<String> {
        let arguments = (description.arguments ?? []).filter { isIncluded($0.sectionTitle) }
        return Set(arguments.flatMap { $0.names ?? [] }.map(\.text))
    }
}
