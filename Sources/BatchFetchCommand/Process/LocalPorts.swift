import BatchFetch
import Posix

/// The local ports of outgoing connections.
///
/// Each connection to the same address and port needs its own.
enum LocalPorts {
    private static let file = "/proc/sys/net/ipv4/ip_local_port_range"

    /// A warning if one host can't have this many connections at once; `nil` if there are enough
    /// ports, or their number is unknown.
    static func warning(connections: Int) -> String? {
        guard let text = try? TextFile.text(of: file) else { return nil }
        return warning(connections: connections, range: text)
    }

    /// The same for a given port range: the first and the last port, as the system prints them.
    static func warning(connections: Int, range: String) -> String? {
        let ports = range.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard ports.count == 2, ports[0] <= ports[1] else { return nil }
        let count = ports[1] - ports[0] + 1
        guard connections > count else { return nil }
        return
            "only \(count) connections to one host are possible at once instead of \(connections), "
            + "because the system has too few local ports: widen net.ipv4.ip_local_port_range, or "
            + "lower --per-host"
    }
}
