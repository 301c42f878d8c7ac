public import Foundation
internal import Synchronization

/// Keeps cookies, takes those that responses set, and knows which ones belong to a request, by RFC
/// 6265bis.
///
/// - A cookie is sent to the host that set it, or to all hosts of its domain if it has one, which
///   begins with a dot then; never to more than its path, and to no other ports than it names. Addresses
///   have no domains.
/// - A cookie that is `Secure` is sent and set over `https` and `wss` alone, not even to loopback
///   addresses otherwise, and nothing that came over another connection replaces or hides it.
/// - Nobody sets cookies for a domain below which anybody may register names, such as `co.uk`. Which
///   these are is known from Mozilla's public suffix list, as libpsl and the system have it.
/// - A cookie of more than 4,096 bytes isn't taken. Of one site 180 are kept, and 3,000 or some more in
///   all: what is too much goes by the RFC's order, what wasn't used for longest first.
/// - A cookie with `SameSite` isn't sent where the request names a main document of another site.
/// - When a cookie expires is left to the server, however late it is.
///
/// Cookies are in this process' memory alone, also those of ``shared``, unless the storage was made
/// with ``init(persistingAt:)``.
///
/// Every method may be called from any thread. A subclass that overrides methods of its base is asked
/// by sessions through these, on threads of theirs.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a class that the compiler proves
/// to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever does
/// answers for what he adds.
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
    private static let sharedStorage = HTTPCookieStorage()
    private static let groupStorages = Mutex<[String: HTTPCookieStorage]>([:])

    /// The storage that sessions use unless their configurations have another one.
    open class var shared: HTTPCookieStorage { sharedStorage }

    /// The storage of a group of programs on systems that have such: here, one of this process, always
    /// the same one for an identifier.
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

    /// Creates an empty storage, which keeps cookies in memory.
    public override init() {
        contents = CookieStore()
        super.init()
        observe()
    }

    /// Creates a storage that keeps cookies in a file, for as long as they say themselves: those that
    /// last as long as the session are in memory alone.
    ///
    /// The file is read now, on the calling thread. Changes are written a moment later on a queue of
    /// the storage's, several together and at most once a second, by replacing the file as a whole;
    /// call `flush()` before the process ends. Only the user may read it (mode 0600).
    ///
    /// Several storages may have the same file, in several processes too: each time that one writes, it
    /// takes over what the others have written since. Of changes to the same cookie the last one stays.
    /// They are kept apart by a lock on a second file, whose name ends with `.lock`. If the file is
    /// removed, it is written anew with the next change. A write that fails is tried again with the
    /// next change, and told by `flush()`.
    ///
    /// - Parameter url: Where the file is, or is to be made, with the folders above it. It has one JSON
    ///   object a line.
    /// - Throws: An ``HTTPCookieStorageError`` if the file can't be read or locked, or isn't one of a
    ///   storage. A damaged one has another name then, so that a second attempt begins with an empty
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

    private func observe() {
        contents.state.withLock { state in
            state.observer = { [weak self] in self?.tell() }
        }
    }

    /// All cookies, those first that have been there for longest. Never `nil`.
    open var cookies: [HTTPCookie]? { contents.all(now: Date()) }

    /// Which cookies are taken: all of them, if nobody said otherwise.
    ///
    /// With `onlyFromMainDocumentDomain`, those of responses whose site is the main document's: they
    /// have a registrable domain in common. A response without a main document is one itself.
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

    /// Stores a cookie in the place of the one with its name, domain and path. One that has expired
    /// removes that.
    ///
    /// It may be of any domain and path. It isn't stored with the policy `never`, if it has more than
    /// 4,096 bytes, or if its domain is a public suffix.
    open func setCookie(_ cookie: HTTPCookie) {
        guard cookieAcceptPolicy != .never else { return }
        if contents.set([cookie], from: nil, now: Date()) { tell() }
    }

    /// Removes the cookie with this one's name, domain and path.
    open func deleteCookie(_ cookie: HTTPCookie) {
        if contents.remove(cookie, now: Date()) { tell() }
    }

    /// Removes the cookies that were set at that time or later.
    open func removeCookies(since date: Date) {
        if contents.removeAll(since: date, now: Date()) { tell() }
    }

    /// The cookies that are sent to `url`, in order: those with longer paths first, and then those that
    /// have been there for longer. `nil` for a URL without a host.
    open func cookies(for url: URL) -> [HTTPCookie]? {
        guard let origin = CookieOrigin(url) else { return nil }
        return contents.cookies(for: origin, isSameSite: true, now: Date())
    }

    /// Stores cookies that a response has set, as far as the policy has it and the response may set
    /// them (RFC 6265bis, 5.7).
    ///
    /// - Parameters:
    ///   - cookies: The cookies, in the order in which they came.
    ///   - url: Where the response came from. Without one, nothing is stored.
    ///   - mainDocumentURL: The document that the response is a part of; `nil` if it is one itself.
    open func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
        if accept(cookies, from: url, mainDocumentURL: mainDocumentURL) { tell() }
    }

    /// All cookies in an order. Cookies that no descriptor tells apart are in that of ``cookies``.
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

    /// The class and the number of cookies.
    open override var description: String {
        "<\(type(of: self)) cookies count:\(cookies?.count ?? 0)>"
    }
}
