/// Whether a run keeps the cookies that servers set, and sends them back.
///
/// They are sent by the rules of RFC 6265bis, also after redirects, so that a page that sets a cookie
/// and redirects to itself is passed. A line's own `Cookie` field replaces them, as does one of
/// ``BatchRequestDefaults/headerFields``. Requests for `robots.txt` have none.
///
/// A run keeps at most 180 cookies of a site and 10,000 in all; those of the sites that were used
/// least recently are removed first.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BatchCookies: Sendable, Hashable {
    /// Cookies are neither kept nor sent.
    case none

    /// Cookies are kept in memory until the end of the run.
    case memory

    /// As ``memory``, and they are read from this file at the start and written to it at the end.
    ///
    /// The file has the format of Netscape, which `curl` and `wget` use. A missing one is created, and
    /// only its owner can read it. A run that is killed doesn't write it, and of two runs at once
    /// the later end wins. Cookies without an expiry are written, too.
    case file(String)
}
