internal import Curl
internal import Foundation

/// A file with the cookies of storages, of which several may use it, in several processes too.
///
/// It is replaced as a whole by one that is complete, and only by who holds the lock of a file beside
/// it (`flock`), after reading what others have written. Every call may block, on the device and on
/// others' writing.
struct CookieFile: Sendable {
    /// What came of writing.
    struct Outcome: Sendable {
        /// What the file holds now.
        let jar: CookieJar
        /// The file was damaged before; it is set aside, and there is a new one.
        var damage: HTTPCookieStorageError?
    }

    /// More than the cookies of a storage can take.
    private static let maximumSize = 1 << 26

    private let url: URL
    private let path: String

    /// - Throws: An error if the URL isn't a file's.
    init(_ url: URL) throws(HTTPCookieStorageError) {
        guard url.isFileURL, !url.path.isEmpty else {
            throw HTTPCookieStorageError(.inaccessible, url: url, reason: "it is no file's URL")
        }
        self.url = url
        path = url.path
    }

    /// What the file holds; nothing if there is none.
    ///
    /// - Throws: An error if it can't be read or locked, or isn't a storage's. A damaged one has
    ///   another name then.
    func load(now: Date) throws(HTTPCookieStorageError) -> CookieJar {
        try locked { () throws(HTTPCookieStorageError) in
            do throws(HTTPCookieStorageError) {
                return CookieJar(try read() ?? [], now: now)
            } catch  where error.code == .damaged {
                throw try setAside(error)
            }
        }
    }

    /// Makes changes to what the file holds now.
    ///
    /// - Parameter own: All persistent cookies of the storage, which are written if the file is
    ///   gone, or damaged: then it has another name.
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

    /// `nil` without a file.
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

    /// No more than show that it is too large; `nil` without a file.
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

    /// Readable by the user alone, and complete before it takes the old one's place.
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

    /// Gives a damaged file another name, in the place of an earlier one.
    private func setAside(
        _ damage: HTTPCookieStorageError
    ) throws(HTTPCookieStorageError) -> HTTPCookieStorageError {
        let place = path + ".damaged"
        try accessing { () throws(FileError) in try FileSystem.rename(path, to: place) }
        let moved = URL(fileURLWithPath: place)
        return HTTPCookieStorageError(.damaged, url: url, reason: damage.reason, movedTo: moved)
    }

    /// The lock's file stays where it is: who waits for it would wait for another one otherwise.
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
