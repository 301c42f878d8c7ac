import Posix
import Synchronization

/// The cookies of a run, for all its threads, with their file.
final class RunCookies: Sendable {
    private let jar: Mutex<CookieJar>
    /// The file of the cookies; `nil` if they end with the run.
    private let path: String?

    /// Reads the file, if there is one. Blocks.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if the file can't be read, and
    ///   ``BatchFailure/Code/output`` if it can't be written.
    init(path: String? = nil) throws(BatchFailure) {
        self.path = path
        var jar = CookieJar()
        if let path {
            try TextFile.check(path)
            let now = Self.now
            for cookie in try Self.cookies(in: path) { jar.set(cookie, isSecure: true, now: now) }
        }
        self.jar = Mutex(jar)
    }

    /// The cookies in a file; none if it doesn't exist.
    ///
    /// - Throws: ``BatchFailure/Code/configuration``.
    static func cookies(in path: String) throws(BatchFailure) -> [RunCookie] {
        do throws(FileError) {
            guard let kind = try FileSystem.kind(of: path) else { return [] }
            if kind == .directory { throw FileError.isDirectory(path) }
        } catch {
            throw BatchFailure(.configuration, "\(error)")
        }
        let text = try TextFile.text(of: path, longest: 64 << 20)
        do throws(CookieFile.Mistake) {
            return try CookieFile.cookies(in: text)
        } catch {
            throw BatchFailure(
                .configuration,
                "the cookie file “\(path)”, line \(error.line): \(error.reason)"
            )
        }
    }

    private static var now: Double { Double(WallClock.microsecondsSince1970) / 1e6 }

    /// The value of the `Cookie` field for a request; `nil` for none.
    func field(for origin: CookieOrigin) -> String? {
        jar.withLock { $0.field(for: origin, now: Self.now) }
    }

    /// Stores the cookies of a response's `Set-Cookie` fields.
    func store(_ fields: [String], from origin: CookieOrigin) {
        let now = Self.now
        let cookies = fields.compactMap {
            RunCookie(setCookie: $0, from: origin, now: now)
        }
        guard !cookies.isEmpty else { return }
        jar.withLock { jar in
            for cookie in cookies { jar.set(cookie, isSecure: origin.isSecure, now: now) }
        }
    }

    /// Writes the file, which only its owner can read. Blocks.
    ///
    /// Returns the failure; `nil` for none.
    func save() -> BatchFailure? {
        guard let path else { return nil }
        let text = jar.withLock { CookieFile.text($0.all, now: Self.now) }
        do throws(BatchFailure) {
            try TextFile.write(text, to: path, mode: 0o600)
            return nil
        } catch {
            return BatchFailure(.output, "can't write the cookies: \(error.message)")
        }
    }
}
