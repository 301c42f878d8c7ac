internal import Curl

/// Parses URLs as libcurl does, for the layers above the transport.
package enum URLParsing {
    /// Why a URL can't be used, for its user.
    package struct Failure: Error {
        package let message: String
    }

    /// The maximum number of characters of a host, without a final dot.
    package static let maximumHostLength = CurlURL.maximumHostLength

    /// Checks whether libcurl can parse an absolute URL, and its host isn't too long.
    package static func check(_ url: String) throws(Failure) {
        do throws(CurlURL.Failure) {
            _ = try CurlURL(parsing: url)
        } catch {
            throw Failure(message: error.message)
        }
    }

    /// Whether an absolute URL has a user name or a password; false for an invalid one.
    package static func hasUserInfo(_ url: String) -> Bool {
        (try? CurlURL(parsing: url))?.hasUserInfo ?? false
    }

    /// Resolves a reference against an absolute URL (RFC 3986, section 5).
    package static func resolve(
        _ reference: String,
        against base: String
    ) throws(Failure) -> String {
        do throws(CurlURL.Failure) {
            let base = try CurlURL(parsing: base)
            return try CurlURL(parsing: reference, relativeTo: base).string
        } catch {
            throw Failure(message: error.message)
        }
    }

    /// The canonical form of an address: `127.1` becomes `127.0.0.1`.
    ///
    /// Nil if libcurl can't parse it, or if it has a zone, which libcurl's host lacks.
    ///
    /// - Parameter isIPv6: Whether the address is one of IPv6, which has no brackets here.
    package static func canonicalAddress(_ host: String, isIPv6: Bool) -> String? {
        guard let url = try? CurlURL(parsing: isIPv6 ? "http://[\(host)]/" : "http://\(host)/"),
            !url.hasZone
        else { return nil }
        return isIPv6 ? String(url.host.dropFirst().dropLast()) : url.host
    }

    /// An internationalised name in the form in which it is looked up: `bücher.example` becomes
    /// `xn--bcher-kva.example`.
    ///
    /// Nil if libcurl can't convert it, which needs libcurl 7.88 and a locale in UTF-8.
    package static func asciiName(_ host: String) -> String? {
        guard let url = try? CurlURL(parsing: "http://\(host)/"), url.host == host else {
            return nil
        }
        return url.asciiHost?.lowercased()
    }
}
