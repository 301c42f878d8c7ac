internal import Dispatch
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: the only stored property is a constant, and the compiler proves its class
// to be `Sendable`. The compiler can't prove that of an open class. A subclass is responsible for
// what it adds.
/// Stores cookies, and selects those for a request, by RFC 6265bis.
///
/// - A cookie is sent to the host that set it or, if it has a domain with a leading dot, to all
///   hosts of that domain. It is sent only to its path and paths below, and only to its ports, if
///   it has any. IP addresses have no domains.
/// - A `Secure` cookie is sent and set only over `https` and `wss`. Loopback addresses are no
///   exception. A cookie that came over another connection never replaces or hides it.
/// - No cookies are set for a public suffix, such as `co.uk`, below which anyone may register
///   names. The source is Mozilla's public suffix list, in the version of libpsl or of the system.
/// - A cookie of more than 4,096 bytes isn't stored. At most 180 cookies of one site and 3,300 in
///   all are kept; if there are more in all, 3,000 remain. Excess cookies are removed in the RFC's
///   order, the least recently used ones first.
/// - A cookie with `SameSite` isn't sent if the request's main document is of another site.
/// - The expiry date is the server's choice. There is no upper limit.
///
/// Cookies, also those of ``shared``, are only in this process's memory, unless the storage was
/// created with ``init(persistingAt:)``.
///
/// Every method may be called from any thread. Sessions call the overridden methods of a subclass
/// on their own threads.
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
    private static let sharedStorage = HTTPCookieStorage()
    private static let groupStorages = Mutex<[String: HTTPCookieStorage]>([:])

    /// The storage that sessions use by default.
    open class var shared: HTTPCookieStorage { sharedStorage }

    /// The storage of a group of programs; here only of this process.
    ///
    /// There are no groups on Linux. The same identifier always returns the same storage.
    open class func sharedCookieStorage(
        forGroupContainerIdentifier identifier: String
    ) -> HTTPCookieStorage {
        groupStorages.withLock { storages in
            if let storage = storages[identifier] { return storage }
            let storage = HTTPCookieStorage()
            storages[identifier] = storage
            return storage
        }
    }

    let contents: CookieStore

    /// Creates an empty storage that keeps cookies in memory.
    public override init() {
        contents = CookieStore()
        super.init()
        observe()
    }

    /// Creates a storage that keeps persistent cookies in a file.
    ///
    /// Cookies stay in the file until they expire. Session cookies are only in memory.
    ///
    /// The file is read now, on the calling thread. The storage's queue writes changes a moment
    /// later, several together and at most once a second, by replacing the whole file. Call
    /// `flush()` before the process ends. Only the user may read the file (mode 0600).
    ///
    /// Several storages and processes may share a file. Each write adopts what others have written
    /// since. The last change of a cookie wins. A lock on a second file, whose name ends with
    /// `.lock`, serialises the writes. If the file is removed, the next change creates it again. A
    /// failed write is retried with the next change, and `flush()` reports it.
    ///
    /// - Parameter url: The file. The file and its parent directories are created if needed. Each
    ///   line is a JSON object.
    /// - Throws: An ``HTTPCookieStorageError`` if the file can't be read or locked, or isn't a
    ///   cookie file. A damaged file is renamed, so that a second attempt starts with an empty
    ///   file.
    public init(persistingAt url: URL) throws(HTTPCookieStorageError) {
        let file = try CookieFile(url)
        contents = CookieStore(try file.load(now: Date())) {
            (changes, own) throws(HTTPCookieStorageError) in
            try file.update(changes, of: own, now: Date())
        }
        super.init()
        observe()
    }

    /// Creates the storage of an ephemeral configuration.
    static func ephemeral() -> HTTPCookieStorage {
        let storage = HTTPCookieStorage()
        storage.contents.state.withLock { $0.isEphemeral = true }
        return storage
    }

    private func observe() {
        contents.state.withLock { state in
            state.observer = { [weak self] in self?.postChangeNotification() }
        }
    }

    /// All cookies, oldest first. Never `nil`.
    open var cookies: [HTTPCookie]? { contents.all(now: Date()) }

    /// The cookie accept policy; `.always` by default.
    ///
    /// `onlyFromMainDocumentDomain` accepts cookies of responses from the main document's site:
    /// both have the same registrable domain. A response without a main document is one itself.
    open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { contents.state.withLock { $0.policy } }
        set {
            let isChanged = contents.state.withLock { state in
                defer { state.policy = newValue }
                return state.policy != newValue
            }
            guard isChanged else { return }
            NotificationCenter.default.post(
                name: .NSHTTPCookieManagerAcceptPolicyChanged,
                object: self
            )
        }
    }

    /// Stores a cookie. It replaces the one with the same name, domain and path.
    ///
    /// An expired cookie removes that one. The cookie may have any domain and path. It isn't stored
    /// with the policy `never`, if it has more than 4,096 bytes, or if its domain is a public
    /// suffix.
    open func setCookie(_ cookie: HTTPCookie) {
        guard cookieAcceptPolicy != .never else { return }
        if contents.set([cookie], from: nil, now: Date()) { postChangeNotification() }
    }

    /// Removes the cookie with the same name, domain and path.
    open func deleteCookie(_ cookie: HTTPCookie) {
        if contents.remove(cookie, now: Date()) { postChangeNotification() }
    }

    /// Removes the cookies that were set at a date or later.
    open func removeCookies(since date: Date) {
        if contents.removeAll(since: date, now: Date()) { postChangeNotification() }
    }

    /// The cookies for `url`, in sending order; `nil` without a host.
    ///
    /// Cookies with longer paths come first, then older ones.
    open func cookies(for url: URL) -> [HTTPCookie]? {
        guard let origin = CookieOrigin(url) else { return nil }
        return contents.cookies(for: origin, isSameSite: true, now: Date())
    }

    /// Stores cookies from a response, if the policy accepts them.
    ///
    /// The response must be allowed to set them (RFC 6265bis, 5.7).
    ///
    /// - Parameters:
    ///   - cookies: The cookies, in the order in which they arrived.
    ///   - url: The URL of the response. Without one, nothing is stored.
    ///   - mainDocumentURL: The document that the response is a part of; `nil` if it is a main
    ///     document itself.
    open func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
        if accept(cookies, from: url, mainDocumentURL: mainDocumentURL) { postChangeNotification() }
    }

    /// All cookies, sorted. Cookies that compare equal stay in the order of ``cookies``.
    open func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [HTTPCookie] {
        (cookies ?? []).sorted { one, other in
            for descriptor in sortOrder {
                switch descriptor.compare(one, to: other) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return false
        }
    }

    /// Foundation's name of the class, and the number of cookies.
    ///
    /// The storage of an ephemeral configuration is described as `Ephemeral`.
    open override var description: String {
        let kind = contents.state.withLock { $0.isEphemeral ? "Ephemeral" : "" }
        return "\(kind)<NSHTTPCookieStorage cookies count:\(cookies?.count ?? 0)>"
    }
}

extension NSNotification.Name {
    /// Posted after the cookies of a storage, the notification's object, have changed.
    ///
    /// It is posted on the thread that called a method of the storage. If a response or another
    /// user of the same file changed the cookies, it is posted on the storage's queue.
    public static let NSHTTPCookieManagerCookiesChanged = Notification.Name(
        rawValue: "NSHTTPCookieManagerCookiesChangedNotification"
    )

    /// Posted after a storage's ``HTTPCookieStorage/cookieAcceptPolicy`` has changed.
    ///
    /// The storage is the notification's object. It is posted on the thread that changed the
    /// policy.
    public static let NSHTTPCookieManagerAcceptPolicyChanged = NSNotification.Name(
        rawValue: "NSHTTPCookieManagerAcceptPolicyChangedNotification"
    )
}

extension HTTPCookieStorage {
    /// Writes changes to the file, and adopts those that others have made.
    ///
    /// Blocks the thread until that is done. Does nothing for a storage in memory.
    ///
    /// - Throws: Why the file can't be written. Or that it was damaged: it was renamed, and the
    ///   cookies of this storage are in a new one.
    public func flush() throws(HTTPCookieStorageError) {
        try contents.flush()
    }

    /// Writes changes to the file, and adopts those that others have made.
    ///
    /// Does nothing for a storage in memory. The storage's queue does the blocking work.
    ///
    /// - Throws: Why the file can't be written. Or that it was damaged: it was renamed, and the
    ///   cookies of this storage are in a new one.
    public func flush() async throws(HTTPCookieStorageError) {
        let contents = contents
        let result: Result<Void, HTTPCookieStorageError> = await withCheckedContinuation {
            continuation in
            contents.queue.async {
                let result = Result { () throws(HTTPCookieStorageError) in try contents.flush() }
                continuation.resume(returning: result)
            }
        }
        try result.get()
    }
}
