import BatchFetch
import Posix

/// Finds arguments and settings of the environment that aren't UTF-8.
///
/// Swift replaces invalid bytes by U+FFFD, so a path with such bytes would name another file. Pure,
/// except for ``check(_:)``.
enum ArgumentEncoding {
    private static let replacement = "\u{FFFD}"

    /// Checks the arguments and the environment of this process.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if one isn't UTF-8.
    static func check(_ arguments: [String]) throws(BatchFailure) {
        // The kernel's copies are read only if something may have been replaced.
        if arguments.contains(where: { $0.contains(replacement) }),
            let reason = objection(toArguments: bytes(of: "/proc/self/cmdline"))
        {
            throw BatchFailure(.configuration, reason)
        }
        let environment = bytes(of: "/proc/self/environ")
        if let reason = objection(toEnvironment: environment) {
            throw BatchFailure(.configuration, reason)
        }
    }

    /// Why arguments can't be used; `nil` if they can.
    ///
    /// - Parameter bytes: The program's name and its arguments, each with a NUL at its end.
    static func objection(toArguments bytes: [UInt8]) -> String? {
        let texts = texts(in: bytes)
        for (number, text) in texts.enumerated().dropFirst() where !isValid(text) {
            let name =
                secretOption(text, after: texts[number - 1]).map { "the value of \($0)" }
                ?? "“\(shown(text))”"
            return
                "argument \(number), \(name), is not UTF-8, which options, URLs and file names must "
                + "be: rename the file, or name it by a link (ln -s)"
        }
        return nil
    }

    /// The option whose value may be a secret and is this argument; `nil` for other arguments.
    private static func secretOption(
        _ text: ArraySlice<UInt8>,
        after previous: ArraySlice<UInt8>
    ) -> String? {
        SettingsReader.secrets.map { "--\($0)" }.first { option in
            previous.elementsEqual(option.utf8) || text.starts(with: "\(option)=".utf8)
        }
    }

    /// Why variables of the environment can't be used; `nil` if they can.
    ///
    /// - Parameter bytes: `NAME=VALUE`, each with a NUL at its end. Only settings are checked.
    static func objection(toEnvironment bytes: [UInt8]) -> String? {
        for text in texts(in: bytes)
        where text.starts(with: Setting.prefix.utf8) && !isValid(text) {
            let name = String(decoding: text.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            return
                "the environment variable \(name) is not UTF-8, which settings must be: rename the "
                + "file, or name it by a link (ln -s)"
        }
        return nil
    }

    private static func texts(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: 0, omittingEmptySubsequences: false)
    }

    private static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
        String(validating: text, as: UTF8.self) != nil
    }

    private static func shown(_ text: ArraySlice<UInt8>) -> String {
        let text = String(decoding: text, as: UTF8.self)
        // A URL may have a password.
        let safe = text.contains("://") ? URLText.forReport(text) : text
        return TerminalEscaping.text(String(safe.prefix(80)))
    }

    /// Reads a file of the kernel; without it nothing is checked.
    private static func bytes(of path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            while try file.read(appendingTo: &bytes, upTo: 64 * 1024) > 0 {}
            return bytes
        } catch {
            return []
        }
    }
}
