internal import CPSL
internal import HTTPSemantics
internal import Synchronization

/// Mozilla's list of public suffixes, such as `com`, `co.uk` and `github.io`.
///
/// Anyone may register names below a public suffix. Source: <https://publicsuffix.org>.
///
/// Names must be lowercase, without a leading or trailing dot, international ones in their ASCII
/// form. A top-level domain that isn't on the list is a public suffix, as the list itself defines.
/// All methods may be called on any thread.
package struct PublicSuffixList: ~Copyable, Sendable {
    /// The list of this process, loaded at first use and kept.
    ///
    /// It is the newer one of libpsl's built-in list and the system's (Debian's package
    /// `publicsuffix`).
    package static let shared = PublicSuffixList()

    /// The owner of libpsl's list.
    @safe private struct List: ~Copyable {
        /// `nil` if neither list exists.
        let pointer: OpaquePointer?

        init() {
            unsafe pointer = psl_latest(nil)
        }

        deinit {
            unsafe psl_free(pointer)
        }
    }

    private let list = Mutex(List())

    init() {}

    /// Whether `domain` is a public suffix.
    ///
    /// An IP address is none, but it isn't recognised: see ``isAddress(_:)``.
    package func isPublicSuffix(_ domain: String) -> Bool {
        list.withLock { list in
            guard let list = unsafe list.pointer else {
                return !domain.utf8.contains(UInt8(ascii: "."))
            }
            return unsafe psl_is_public_suffix(list, domain) == 1
        }
    }

    /// The public suffix of `host` plus one label: `example.co.uk` for `www.example.co.uk`.
    ///
    /// It belongs to one owner. `nil` if `host` is itself a public suffix, an IP address, or
    /// without a list.
    package func registrableDomain(of host: String) -> String? {
        guard !Self.isAddress(host) else { return nil }
        return list.withLock { list in
            guard let list = unsafe list.pointer else { return nil }
            return unsafe host.withCString { start -> String? in
                // A part of the given string.
                guard let domain = unsafe psl_registrable_domain(list, start) else { return nil }
                return unsafe String(cString: domain)
            }
        }
    }

    /// Whether a host is an IP address, which has no parent domain.
    ///
    /// It has a colon, or its last label is a number. In the latter case it is one whatever the
    /// other labels are (WHATWG URL, 3.5). A trailing dot is ignored.
    package static func isAddress(_ host: String) -> Bool {
        var bytes = host.utf8[...]
        if bytes.contains(ASCII.colon) { return true }
        if bytes.last == ASCII.dot { bytes.removeLast() }
        let dot = bytes.lastIndex(of: ASCII.dot)
        let last = bytes[(dot.map { bytes.index(after: $0) } ?? bytes.startIndex)...]
        if last.allSatisfy({ $0.isASCIIDigit }) { return !last.isEmpty }
        return last.starts(with: "0x".utf8)
            && last.dropFirst(2).allSatisfy {
                $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
