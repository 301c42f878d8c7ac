internal import Curl
internal import Posix
internal import Synchronization

/// Tracks CA files and client identities, which may be replaced while the client runs.
///
/// libcurl gets a different path for each version of a file (``PathVariant``). So it doesn't reuse
/// cached data of the former version, including TLS sessions and connections.
final class TrackedFiles: Sendable {
    /// An option that names a file.
    struct File: Sendable {
        let option: EasyOption<String?>
        /// The files whose versions count. The first is the option's value.
        let paths: [String]

        init(_ option: EasyOption<String?>, _ paths: [String]) {
            self.option = option
            self.paths = paths.map(FileSystem.absolutePath)
        }
    }

    private struct State {
        var settings: FileSettings
        var checked: MonotonicTime
    }

    private let files: [File]
    private let state: Mutex<State>
    private static let table = Mutex(FileVersionTable())

    /// The interval of checks if a connection may be reused: one second, in nanoseconds.
    static let interval: Int64 = 1_000_000_000

    /// Reads the versions of the files. Nil if there are no files.
    init?(_ files: [File]) {
        guard !files.isEmpty else { return nil }
        self.files = files
        let numbers = files.map { Self.number(of: $0) ?? 0 }
        state = Mutex(State(settings: FileSettings(files, numbers), checked: .now))
    }

    /// The options that name the files, in their current versions.
    ///
    /// Returns the same object until a file changes. A deleted file keeps its last version.
    ///
    /// - Parameter opensConnection: Whether a new connection is certain. If not, the files are
    ///   checked at most once a second.
    func settings(at now: MonotonicTime, opensConnection: Bool) -> FileSettings {
        state.withLock { state in
            guard opensConnection || now.nanoseconds(since: state.checked) >= Self.interval else {
                return state.settings
            }
            state.checked = now
            let old = state.settings.numbers
            let numbers = zip(files, old).map { Self.number(of: $0) ?? $1 }
            if numbers != old { state.settings = FileSettings(files, numbers) }
            return state.settings
        }
    }

    private static func number(of file: File) -> UInt64? {
        let versions = file.paths.compactMap(FileSystem.version)
        guard versions.count == file.paths.count else { return nil }
        return table.withLock { $0.number(of: file.paths, versions) }
    }
}

/// The options that name the tracked files, for one combination of versions.
final class FileSettings: Sendable {
    let settings: [EasySetting]
    /// The numbers of the files' versions.
    let numbers: [UInt64]

    fileprivate init(_ files: [TrackedFiles.File], _ numbers: [UInt64]) {
        self.numbers = numbers
        settings = zip(files, numbers).map { file, number in
            .text(file.option, PathVariant.path(file.paths.first ?? "", number))
        }
    }
}

/// Different paths of one file, which libcurl takes for different files.
///
/// libcurl caches parsed CA certificates, TLS sessions and connections by the paths of their files.
/// A different path forces it to create them again.
enum PathVariant {
    /// `path` for 0; for other numbers, a distinct path of the same file.
    ///
    /// Each number adds its own prefix of redundant slashes and dots.
    static func path(_ path: String, _ number: UInt64) -> String {
        var variant = path.hasPrefix("/") || number == 0 ? "" : "."
        var rest = number
        while rest > 0 {
            variant += rest & 1 == 1 ? "/." : "/"
            rest >>= 1
        }
        return variant + (variant.hasPrefix(".") ? "/" : "") + path
    }
}

/// Assigns numbers to versions of files, a different one to each version.
///
/// A pure value: it reads no file. The first version of a file gets zero.
struct FileVersionTable {
    private var known: [[String]: (version: [FileVersion], number: UInt64)] = [:]
    private var lastNumber: UInt64 = 0
    /// The number for files that weren't seen yet. Above zero after entries were evicted.
    private var firstNumber: UInt64 = 0
    private let capacity: Int

    init(capacity: Int = 4096) {
        self.capacity = capacity
    }

    /// The number for the combination of versions of the files at `paths`.
    mutating func number(of paths: [String], _ version: [FileVersion]) -> UInt64 {
        if let last = known[paths] {
            if last.version == version { return last.number }
            lastNumber += 1
            known[paths] = (version, lastNumber)
            return lastNumber
        }
        if known.count >= capacity {
            known.removeAll()
            lastNumber += 1
            firstNumber = lastNumber
        }
        known[paths] = (version, firstNumber)
        return firstNumber
    }
}
