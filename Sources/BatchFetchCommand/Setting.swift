/// An option that may also stand in a file or in the environment.
struct Setting: Sendable, Hashable {
    /// Its long name, without the hyphens.
    let name: String
    /// Its other names, those of one letter too, without hyphens.
    let otherNames: Set<String>
    let isFlag: Bool
    /// Whether it may be given several times.
    let isRepeating: Bool

    /// The name of what turns a flag off, where there is one.
    var offName: String? { otherNames.contains("no-\(name)") ? "no-\(name)" : nil }

    /// `BATCHFETCH_PER_HOST` of `per-host`.
    var variable: String {
        Self.prefix + name.replacing("-", with: "_").uppercased()
    }

    static let prefix = "BATCHFETCH_"
}
