import Curl

/// The ports from which connections start: each one to the same address and port has another.
package enum LocalPorts {
    private static let file = "/proc/sys/net/ipv4/ip_local_port_range"

    /// What to tell whoever wants to be connected to one host more often than there are ports; `nil` if
    /// there are enough, or nobody knows.
    package static func warning(connections: Int) -> String? {
        guard let text = try? TextFile.text(of: file) else { return nil }
        return warning(connections: connections, range: text)
    }

    /// The same of the system's range as it tells it: the first and the last port.
    static func warning(connections: Int, range: String) -> String? {
        let ports = range.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard ports.count == 2, ports[0] <= ports[1] else { return nil }
        let count = ports[1] - ports[0] + 1
        guard connections > count else { return nil }
        return
            "one host can be connected to \(count) times at once instead of \(connections), for want of "
            + "ports to connect from: widen net.ipv4.ip_local_port_range, or lower --per-host"
    }
}
