import BatchFetch

extension SettingCatalog {
    /// Options that concern a single call and can't be settings.
    private static let excluded: Set = ["help", "version", "config", "generate-completion-script"]

    /// Reads the settings from the declarations of the command's options.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if they can't be read.
    init() throws(BatchFailure) {
        let arguments = try CommandDescription(of: FetchCommand.self).arguments ?? []
        let flags = Set(arguments.filter { $0.kind == .flag }.compactMap(\.preferredName?.name))
        let settings: [Setting] = arguments.compactMap { argument in
            guard argument.kind != .positional, let name = argument.preferredName?.name,
                !Self.excluded.contains(name)
            else { return nil }
            // An option that turns a flag off is not a separate setting.
            if argument.inverted(among: flags) != nil { return nil }
            let names = (argument.names ?? []).map(\.name) + ["no-\(name)"].filter(flags.contains)
            return Setting(
                name: name,
                otherNames: Set(names).subtracting([name]),
                isFlag: argument.kind == .flag,
                isRepeating: argument.isRepeating
            )
        }
        self.init(settings)
    }
}
