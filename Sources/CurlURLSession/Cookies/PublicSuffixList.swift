internal import CPSL

/// Mozilla's list of public suffixes, below which anybody may register a name: `com`, `co.uk`,
/// `github.io`. Source: <https://publicsuffix.org>.
///
/// Names are given in small letters, international ones in their ASCII form, without a dot at either
/// end. A top-level domain that isn't on the list is a public suffix, as the list says itself.
///
/// `@unchecked Sendable`: the list is read and never changed once it is loaded, and libpsl keeps
/// nothing between two calls.
@safe struct PublicSuffixList: ~Copyable, @unchecked Sendable {
    /// Loaded when it is asked for first, and kept: the newer one of libpsl's own list and the
    /// system's (Debian's package `publicsuffix`).
    static let shared = PublicSuffixList()

    /// `nil` where there is neither.
    private let list: OpaquePointer?

    init() {
        unsafe list = psl_latest(nil)
    }

    deinit {
        unsafe psl_free(list)
    }

    /// Whether anybody may register names below `domain`.
    func isPublicSuffix(_ domain: String) -> Bool {
        guard let list = unsafe list else { return !domain.utf8.contains(UInt8(ascii: ".")) }
        return unsafe psl_is_public_suffix(list, domain) == 1
    }

    /// The public suffix of `host` and one label more, which belong to one owner: `example.co.uk` of
    /// `www.example.co.uk`. `nil` if it is itself a public suffix, or without a list.
    func registrableDomain(of host: String) -> String? {
        guard let list = unsafe list else { return nil }
        return unsafe host.withCString { start -> String? in
            // A part of what was given.
            guard let domain = unsafe psl_registrable_domain(list, start) else { return nil }
            return unsafe String(cString: domain)
        }
    }
}
