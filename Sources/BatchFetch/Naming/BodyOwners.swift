import Posix
import Synchronization

/// A registry of the files that are bodies of a journal's runs.
///
/// A file is registered before it gets its name. After a kill, a body that the journal doesn't have
/// yet is recognised as the run's own, and not as an existing file that has to stay.
///
/// A line holds an ordinal, the mark of the file that is about to be named, and a hash of the URL.
/// Lines for URLs in the journal are dropped, so the file stays small. The registry survives a kill
/// of the process; a power failure may lose its last lines.
final class BodyOwners: Sendable {
    /// The file is cleaned up from this size, in bytes.
    private static let enough: Int64 = 1 << 20

    private struct State: ~Copyable {
        var file: FileDescriptor
        var length: Int64
        /// The lines of URLs that aren't in the journal, by ordinal.
        var lines: [Int: [String]]
    }

    private let state: Mutex<State>
    private let path: String
    /// The claims of earlier runs: marks by ordinal. `earlierURLs` has hashes of URLs by mark.
    private let earlier: [Int: [Substring]]
    private let earlierURLs: [Substring: Substring]

    /// Opens the claims at this path.
    ///
    /// - Parameters:
    ///   - isNew: Whether the journal is new; then existing claims are stale and dropped.
    ///   - done: The ordinals in the journal.
    init(path: String, isNew: Bool, done: OrdinalSet) throws(FileError) {
        self.path = path
        let file = try FileDescriptor.openForUpdating(path)
        let size = isNew ? 0 : try file.size()
        let bytes = try file.bytes(at: 0, upTo: Int(clamping: size))
        let length = bytes.lastIndex(of: 0x0A).map { Int64($0 + 1) } ?? 0
        var lines: [Int: [String]] = [:]
        for line in bytes.prefix(Int(length)).split(separator: 0x0A) {
            let text = String(decoding: line, as: UTF8.self)
            guard let ordinal = text.split(separator: " ").first.flatMap({ Int($0) }),
                !done.contains(ordinal)
            else { continue }
            lines[ordinal, default: []].append(text)
        }
        try file.truncate(to: length)
        try file.seek(to: length)
        let claims = lines.mapValues { $0.map(Self.parts) }
        earlier = claims.mapValues { $0.map(\.mark) }
        earlierURLs = Dictionary(claims.values.joined().map { ($0.mark, $0.url) }) { $1 }
        state = Mutex(State(file: file, length: length, lines: lines))
    }

    /// Registers the complete file at `temporaryPath` as this ordinal's body. The file is about to
    /// be renamed.
    func claim(
        _ temporaryPath: String,
        for ordinal: Int,
        url: String
    ) throws(FileError) {
        guard let mark = try Self.mark(of: temporaryPath) else { return }
        let line = "\(ordinal) \(mark) \(Self.hash(of: url))"
        let bytes = Array((line + "\n").utf8)
        try state.withLock { state throws(FileError) in
            try state.file.write(bytes)
            state.length += Int64(bytes.count)
            state.lines[ordinal, default: []].append(line)
        }
    }

    /// Whether an earlier run wrote this file for this ordinal. The journal doesn't have it.
    func isOwn(_ path: String, ordinal: Int) -> Bool {
        guard let marks = earlier[ordinal], let mark = try? Self.mark(of: path)
        else { return false }
        return marks.contains(mark[...])
    }

    /// Whether an earlier run wrote this file for another URL. The journal doesn't have it.
    func belongsToAnotherURL(_ path: String, url: String) -> Bool {
        guard !earlierURLs.isEmpty, let mark = try? Self.mark(of: path),
            let owner = earlierURLs[mark[...]]
        else { return false }
        return owner != Self.hash(of: url)
    }

    /// Whether an earlier run may have written a file for this ordinal.
    func mayHave(_ ordinal: Int) -> Bool { earlier[ordinal] != nil }

    /// Drops the claims of ordinals that are now in the journal.
    func settle(_ ordinals: [Int]) throws(FileError) {
        try state.withLock { state throws(FileError) in
            for ordinal in ordinals { state.lines[ordinal] = nil }
            guard state.length >= Self.enough else { return }
            let text = state.lines.values.joined().map { $0 + "\n" }.joined()
            // Rewriting must at least halve the file.
            guard Int64(text.utf8.count) <= state.length / 2 else { return }
            let copy = try TemporaryFile(for: path)
            try copy.write(Array(text.utf8))
            try copy.commit()
            state.file = try .openForUpdating(path)
            state.length = Int64(text.utf8.count)
            try state.file.seek(to: state.length)
        }
    }

    /// Returns what identifies a file across renames. Returns `nil` unless it is a regular file.
    private static func mark(of path: String) throws(FileError) -> String? {
        guard try FileSystem.kind(of: path) == .regular else { return nil }
        let file = try FileDescriptor.openForReading(path)
        let identity = try file.identity()
        return "\(identity.device) \(identity.number) \(try file.modificationTime())"
    }

    private static func hash(of url: String) -> String { StableHash.digits(url.utf8) }

    /// Returns the fields after a line's ordinal.
    private static func parts(_ line: String) -> (mark: Substring, url: Substring) {
        let start = line.firstIndex(of: " ").map { line.index(after: $0) } ?? line.endIndex
        let end = line.lastIndex(of: " ") ?? line.endIndex
        guard start < end else { return ("", "") }
        return (line[start..<end], line[line.index(after: end)...])
    }
}

/// A URL's claim to its body's file. For runs that must keep existing files.
struct BodyClaim: Sendable {
    let claims: BodyOwners
    let ordinal: Int
    let url: String
    /// Whether the name may get a number.
    let isNumbered: Bool

    /// Registers the file at `temporaryPath`, which is about to be renamed. The new name is `path`
    /// or its numbered form.
    ///
    /// Removes the file that an interrupted earlier run wrote for this URL without recording it.
    func take(_ path: String, from temporaryPath: String) throws(FileError) {
        if claims.mayHave(ordinal) {
            var number = 0
            while true {
                let candidate = FileName.numbered(path, number)
                guard try FileSystem.kind(of: candidate) != nil else { break }
                if claims.isOwn(candidate, ordinal: ordinal) { try FileSystem.remove(candidate) }
                guard isNumbered else { break }
                number += 1
            }
        }
        try claims.claim(temporaryPath, for: ordinal, url: url)
    }

    /// Whether an earlier run wrote this file for another URL.
    func belongsToAnotherURL(_ path: String) -> Bool { claims.belongsToAnotherURL(path, url: url) }
}
