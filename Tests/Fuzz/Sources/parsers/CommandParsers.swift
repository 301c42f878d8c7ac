internal import BatchFetch

/// Settings of each kind, as the command's options are.
private let catalog = SettingCatalog([
    Setting(name: "concurrency", otherNames: ["c"], isFlag: false, isRepeating: false),
    Setting(name: "host-rule", otherNames: [], isFlag: false, isRepeating: true),
    Setting(name: "adaptive", otherNames: ["no-adaptive"], isFlag: true, isRepeating: false),
])

/// Parses a settings file. A value must not lose bytes: an error names the file instead.
func parseSettings(_ bytes: [UInt8]) {
    do throws(BatchFailure) {
        let file = try SettingsFile(text(bytes), path: "settings.toml", catalog: catalog)
        for (setting, values) in file.values {
            expect(catalog[setting.name], equals: setting, "a setting's name")
            expect(setting.isRepeating || values.count == 1, equals: true, "one value")
            expect(values.contains { $0.contains("\0") }, equals: false, "a NUL in a value")
        }
    } catch {
        expect(error.message.contains("settings.toml"), equals: true, "an error with its file")
    }
}
