internal import Foundation
internal import Posix

/// A file with cookies, which several storages and processes may share.
///
/// A writer holds the lock of a second file (`flock`) and reads what others have written. Then it
/// replaces the whole file by a complete one. Every call may block, on the device and on other
/// writers.
struct CookieFile: Sendable {
    /// The result of writing.
    struct Outcome: Sendable {
        /// The present contents of the file.
        let jar: CookieJar
        /// Set if the file was damaged. It was set aside, and there is a new one.
        var damage: HTTPCookieStorageError?
    }

    /// More than the cookies of a storage can occupy.
    private static let maximumSize = 1 << 26

    private let url: URL
    private let path: String

    /// - Throws: An error if the URL isn't a file URL.
    init(_ url: URL) throws(HTTPCookieStorageError) {
        guard url.isFileURL, !url.path.isEmpty else {
            throw HTTPCookieStorageError(.inaccessible, url: url, reason: "it isn't a file URL")
        }
        self.url = url
        path = url.path
    }

    /// The contents of the file; empty if there is none.
    ///
    /// - Throws: An error if the file can't be read or locked, or isn't a cookie file. A damaged
    ///   file is renamed.
    func load(now: Date) throws(HTTPCookieStorageError) -> CookieJar {
        try locked { () throws(HTTPCookieStorageError) in
            do throws(HTTPCookieStorageError) {
                return CookieJar(try read() ?? [], now: now)
            } catch  where error.code == .damaged {
                throw try setAside(error)
            }
        }
    }

    /// Applies changes to the present contents of the file.
    ///
    /// - Parameter own: All persistent cookies of the storage. They are written if the file is
    ///   missing or damaged. A damaged file is renamed.
    func update(
        _ changes: CookieChanges,
        of own: [StoredCookie],
        now: Date
    ) throws(HTTPCookieStorageError) -> Outcome {
        try locked { () throws(HTTPCookieStorageError) in
            var damage: HTTPCookieStorageError?
            var held: [StoredCookie]?
            do throws(HTTPCookieStorageError) {
                held = try read()
            } catch  where error.code == .damaged {
                damage = try setAside(error)
            }
            var jar = CookieJar(held ?? own, now: now)
            let isChanged = jar.apply(changes, now: now)
            if isChanged || (held == nil && jar.count > 0) { try write(jar.persistent) }
            return Outcome(jar: jar, damage: damage)
        }
    }

    /// `nil` if there is no file.
    private func read() throws(HTTPCookieStorageError) -> [StoredCookie]? {
        guard let bytes = try contents() else { return nil }
        do {
            return try CookieFileFormat.decode(bytes)
        } catch {
            switch error {
            case .damaged(let reason): throw failure(.damaged, reason)
            case .newerFormat(let version): throw failure(.newerFormat, "format \(version)")
            }
        }
    }

    private func contents() throws(HTTPCookieStorageError) -> [UInt8]? {
        let bytes = try accessing { () throws(FileError) in try Self.bytes(path) }
        guard let bytes, bytes.count > Self.maximumSize else { return bytes }
        throw failure(.damaged, "it has more than \(Self.maximumSize) bytes")
    }

    /// Stops reading one block after the maximum size; `nil` if there is no file.
    private static func bytes(_ path: String) throws(FileError) -> [UInt8]? {
        do {
            let file = try FileDescriptor.openForReading(path)
            var bytes: [UInt8] = []
            while bytes.count <= maximumSize,
                try file.read(appendingTo: &bytes, upTo: 1 << 16) > 0
            {}
            return bytes
        } catch  where error.isMissingFile {
            return nil
        }
    }

    /// Writes a complete file, then replaces the old one. Only the user can read it.
    private func write(_ cookies: [StoredCookie]) throws(HTTPCookieStorageError) {
        guard let bytes = try? CookieFileFormat.encode(cookies) else {
            throw failure(.inaccessible, "they can't be written as JSON")
        }
        try accessing { () throws(FileError) in
            let file = try TemporaryFile(for: path, mode: 0o600)
            try file.write(bytes)
            try file.commit(synchronizing: true)
        }
    }

    /// Renames a damaged file. It replaces an earlier damaged one.
    private func setAside(
        _ damage: HTTPCookieStorageError
    ) throws(HTTPCookieStorageError) -> HTTPCookieStorageError {
        let place = path + ".damaged"
        try accessing { () throws(FileError) in try FileSystem.rename(path, to: place) }
        let moved = URL(fileURLWithPath: place)
        return HTTPCookieStorageError(.damaged, url: url, reason: damage.reason, movedTo: moved)
    }

    /// The lock file is never removed: otherwise, waiting processes could lock different files.
    private func locked<Value>(
        _ body: () throws(HTTPCookieStorageError) -> Value
    ) throws(HTTPCookieStorageError) -> Value {
        let result = try accessing { () throws(FileError) in
            try FileSystem.makeParent(of: path)
            let lock = try FileDescriptor.openForWriting(
                path + ".lock",
                creation: .appending,
                mode: 0o600
            )
            try lock.lock()
            defer { lock.unlock() }
            return Result(catching: body)
        }
        return try result.get()
    }

    private func accessing<Value>(
        _ body: () throws(FileError) -> Value
    ) throws(HTTPCookieStorageError) -> Value {
        do {
            return try body()
        } catch {
            throw failure(.inaccessible, error.description)
        }
    }

    private func failure(_ code: HTTPCookieStorageError.Code, _ reason: String)
        -> HTTPCookieStorageError
    {
        HTTPCookieStorageError(code, url: url, reason: reason)
    }
}
