internal import CurlTransport
internal import HTTPSemantics
internal import Posix

/// How a run connects to servers.
///
/// The settings apply to the requests for `robots.txt`, too.
public struct BatchConnection: Sendable, Hashable {
    /// The proxies; ``BatchProxy/none`` by default.
    public var proxy = BatchProxy.none

    /// The TLS settings for connections to servers, not to proxies.
    public var tls = BatchTLS()

    /// Addresses for host names, which replace their lookups; none by default.
    ///
    /// Each has the form `host:port:address`, with commas between several addresses, which are tried
    /// in this order. An IPv6 address may be in brackets. They apply to URLs with this host and
    /// port, also after a redirect.
    public var addresses: [String] = []

    /// The local end of connections. `nil`, the default, lets the kernel choose.
    ///
    /// It is the name of a network interface, such as `eth0`, or an IP address of this machine. The
    /// prefixes `if!` and `host!` say which of both it is, as in libcurl. See
    /// <https://curl.se/libcurl/c/CURLOPT_INTERFACE.html>.
    public var interface: String?

    /// The path of a unix domain socket to connect to instead of the URLs' hosts. `nil`, the
    /// default, is none.
    ///
    /// The URLs' hosts are still used in `Host`, in TLS, and for the limits. Proxies aren't used.
    public var unixSocket: String?

    /// Whether redirects from `https` to `http` are followed; `false` by default.
    ///
    /// If not, such a URL fails with the code `redirect_forbidden`. Credentials aren't sent after
    /// such a redirect.
    public var allowsDowngrade = false

    /// Creates the default settings: direct connections.
    public init() {}

    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value.
    func validate() throws(BatchFailure) {
        try proxy.check("connection.proxy")
        try tls.validate()
        for address in addresses { _ = try Self.override(address) }
        guard interface != nil || unixSocket != nil else { return }
        do throws(TransportError) {
            var options = TransferOptions()
            apply(endsTo: &options)
            _ = try PreparedOptions(options)
        } catch {
            throw BatchFailure(startingWith: error)
        }
    }

    /// Applies the settings to a transport's options.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value.
    func apply(to options: inout TransferOptions) throws(BatchFailure) {
        options.tls = tls.configuration
        options.resolve = try addresses.map { address throws(BatchFailure) in
            try Self.override(address)
        }
        apply(endsTo: &options)
        options.proxy = try proxy.policy("connection.proxy")
    }

    /// The policy for redirects that are followed.
    var redirects: RedirectPolicy {
        var policy = RedirectPolicy.follow()
        policy.allowsDowngrade = allowsDowngrade
        return policy
    }

    /// Applies the settings that the transport checks.
    private func apply(endsTo options: inout TransferOptions) {
        options.unixSocket = unixSocket.map { .path($0) }
        options.localInterface = interface.map { Self.localInterface($0) }
    }

    private static func localInterface(_ text: String) -> LocalInterface {
        if text.hasPrefix("if!") { return .name(String(text.dropFirst(3))) }
        if text.hasPrefix("host!") { return .address(String(text.dropFirst(5))) }
        return NumericAddress.kind(of: text) == nil ? .name(text) : .address(text)
    }

    /// The addresses by the host and port that they replace the lookup of.
    ///
    /// Leaves out invalid entries, which ``validate()`` reports. As in libcurl, the last entry of
    /// a host and port applies.
    var addressesByHost: [String: [String]] {
        var known: [String: [String]] = [:]
        for address in addresses {
            guard let entry = try? Self.override(address) else { continue }
            // In the form in which hosts that are addresses are counted.
            known["\(entry.host):\(entry.port)"] = entry.addresses.map {
                HostName.canonical($0[...].utf8)
            }
        }
        return known
    }

    /// Parses `host:port:address`.
    private static func override(_ text: String) throws(BatchFailure) -> ResolveOverride {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].utf8.allSatisfy(\.isASCIIDigit),
            let port = UInt16(parts[1]), port > 0
        else {
            throw failure(text, "write host:port:address")
        }
        let addresses = parts[2].split(separator: ",", omittingEmptySubsequences: false).map {
            $0.hasPrefix("[") && $0.hasSuffix("]") ? String($0.dropFirst().dropLast()) : String($0)
        }
        guard addresses.allSatisfy({ NumericAddress.kind(of: $0) != nil }) else {
            throw failure(text, "after the port, write IP addresses with commas between them")
        }
        let host = HostName.canonical(parts[0].utf8)
        guard NumericAddress.kind(of: host) == nil else {
            throw failure(text, "the host is an address, which isn't looked up")
        }
        let isName = host.utf8.allSatisfy { byte in
            byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || "-._".utf8.contains(byte)
        }
        guard isName, (1...253).contains(host.utf8.count) else {
            throw failure(text, "the host is no name in ASCII")
        }
        return ResolveOverride(
            host: host,
            port: Int(port),
            addresses: addresses,
            isPermanent: true
        )
    }

    private static func failure(_ text: String, _ advice: String) -> BatchFailure {
        BatchFailure(.configuration, "the address of a host “\(text)” is invalid: \(advice)")
    }
}
