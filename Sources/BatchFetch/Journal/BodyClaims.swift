import Curl
import Synchronization

/// Which files are the bodies of a journal's runs, noted before they get their names: after a kill, a body
/// that was there before the journal knew of it is the run's own, and no file of somebody else's that
/// would have to stay.
///
/// A line of the file is an ordinal, the mark of the file that is about to be named, and a hash of the URL. What the journal
/// knows of needs none any more, so the file stays small. It outlives a kill of the process; a power
/// failure may cost its last lines.
final class BodyClaims: Sendable {
    /// How many bytes are worth cleaning up.
    private static let enough: Int64 = 1 << 20

    private struct State: ~Copyable {
        var file: FileDescriptor
        var length: Int64
        /// Of what the journal doesn't know of yet: lines.
        var lines: [Int: [String]]
    }

    private let state: Mutex<State>
    private let path: String
    /// What was claimed before this run: the marks by ordinals, and the URLs' hashes by marks.
    private let earlier: [Int: [Substring]]
    private let earlierURLs: [Substring: Substring]

    /// Goes on with the claims of that path.
    ///
    /// - Parameters:
    ///   - isNew: Whether they are of a journal that is no more.
    ///   - done: What the journal knows of.
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

    /// The complete file at `temporaryPath` is about to be the body of this ordinal.
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

    /// Whether an earlier run has made this file as the body of this ordinal, and couldn't say so.
    func isOwn(_ path: String, ordinal: Int) -> Bool {
        guard let marks = earlier[ordinal], let mark = try? Self.mark(of: path)
        else { return false }
        return marks.contains(mark[...])
    }

    /// Whether an earlier run has made this file as the body of another URL, and couldn't say so.
    func isAnothers(_ path: String, url: String) -> Bool {
        guard !earlierURLs.isEmpty, let mark = try? Self.mark(of: path),
            let owner = earlierURLs[mark[...]]
        else { return false }
        return owner != Self.hash(of: url)
    }

    /// Whether an earlier run may have made a file for this ordinal.
    func mayHave(_ ordinal: Int) -> Bool { earlier[ordinal] != nil }

    /// The journal knows of these now.
    func settle(_ ordinals: [Int]) throws(FileError) {
        try state.withLock { state throws(FileError) in
            for ordinal in ordinals { state.lines[ordinal] = nil }
            guard state.length >= Self.enough else { return }
            let text = state.lines.values.joined().map { $0 + "\n" }.joined()
            // As many lines as before are no reason to write them anew.
            guard Int64(text.utf8.count) <= state.length / 2 else { return }
            let copy = try TemporaryFile(for: path)
            try copy.write(Array(text.utf8))
            try copy.commit()
            state.file = try .openForUpdating(path)
            state.length = Int64(text.utf8.count)
            try state.file.seek(to: state.length)
        }
    }

    /// What a file keeps when it is given another name; nil for what is no plain file.
    private static func mark(of path: String) throws(FileError) -> String? {
        guard try FileSystem.kind(of: path) == .regular else { return nil }
        let file = try FileDescriptor.openForReading(path)
        let identity = try file.identity()
        return "\(identity.device) \(identity.number) \(try file.modificationTime())"
    }

    private static func hash(of url: String) -> String { StableHash.digits(url.utf8) }

    /// What stands behind a line's ordinal.
    private static func parts(_ line: String) -> (mark: Substring, url: Substring) {
        let start = line.firstIndex(of: " ").map { line.index(after: $0) } ?? line.endIndex
        let end = line.lastIndex(of: " ") ?? line.endIndex
        guard start < end else { return ("", "") }
        return (line[start..<end], line[line.index(after: end)...])
    }
}
