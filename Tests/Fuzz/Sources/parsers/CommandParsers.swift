internal import BatchFetch

/// Settings of each kind, as the command's options are.
private let catalog = SettingCatalog([
    Setting(name: "concurrency", otherNames: ["c"], isFlag: false, isRepeating: false),
    Setting(name: "host-rule", otherNames: [], isFlag: false, isRepeating: true),
    Setting(name: "adaptive", otherNames: ["no-adaptive"], isFlag: true, isRepeating: false),
])

/// Parses a settings file, and writes what was read as another one, which must have the same content.
func parseSettings(_ bytes: [UInt8]) {
    let content = text(bytes)
    do throws(BatchFailure) {
        _ = try SettingsFile(content, path: "settings.toml", catalog: catalog)
    } catch {
        expect(
            error.message.contains("settings.toml”, line "),
            equals: true,
            "an error with its place"
        )
    }
    var reader = SettingsReader(content)
    var written = ""
    var values: [SettingsReader.Value] = []
    do throws(SettingsReader.Mistake) {
        while let (key, line, value) = try reader.next() {
            expect(
                line > 0 && line <= bytes.count { $0 == 10 } + 1,
                equals: true,
                "a line of the file"
            )
            written += quoted(key) + " = " + toml(value) + "\n"
            values.append(value)
        }
    } catch {
        return
    }
    var again = SettingsReader(written)
    for value in values {
        let copy = try? again.next()?.value
        // A number that isn't equal to itself is.
        expect("\(copy, default: "")", equals: "\(value)", "a value that was written")
    }
}

private func toml(_ value: SettingsReader.Value) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean(let isOn): "\(isOn)"
    case .array(let elements): "[\n" + elements.map { toml($0) + " , # one\n" }.joined() + "]"
    }
}

/// A string with an escape for each character.
private func quoted(_ text: String) -> String {
    let escapes = text.unicodeScalars.map { scalar in
        let digits = String(scalar.value, radix: 16)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
    return "\"" + escapes.joined() + "\""
}
