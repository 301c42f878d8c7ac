internal import Foundation

/// The `User-Agent` value of a program: `name/version (Linux release)`.
enum UserAgent {
    /// The value for this process, computed once.
    static let ofThisProgram = text(
        name: ProcessInfo.processInfo.processName,
        version: version,
        release: release
    )

    static func text(name: String, version: String?, release: String?) -> String {
        let product = [name, version ?? ""].map { ascii($0) ?? "unknown" }
        let system = ["Linux", release.flatMap(ascii)].compactMap(\.self)
        return "\(product.joined(separator: "/")) (\(system.joined(separator: " ")))"
    }

    /// Transliterates to printable ASCII; `nil` if nothing remains.
    private static func ascii(_ text: String) -> String? {
        let transform = StringTransform("Any-Latin; Latin-ASCII; [:^ASCII:] Remove")
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        let latin = isPlain ? text : text.applyingTransform(transform, reverse: false) ?? ""
        let kept = latin.unicodeScalars.filter { (0x20...0x7e).contains($0.value) }
        let result = String(String.UnicodeScalarView(kept)).trimmingCharacters(in: .whitespaces)
        return result.isEmpty ? nil : result
    }

    /// The version of the main bundle, which few programs on Linux have.
    private static var version: String? {
        let info = Bundle.main.infoDictionary
        return info?["CFBundleShortVersionString"] as? String ?? info?["CFBundleVersion"] as? String
    }

    /// The kernel's release.
    private static var release: String? {
        let path = "/proc/sys/kernel/osrelease"
        return (try? String(contentsOfFile: path, encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
