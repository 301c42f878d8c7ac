internal import Curl
internal import Posix

/// Checked names, addresses and socket options as settings for libcurl.
struct PreparedConnection {
    private(set) var settings: [EasySetting] = []

    /// Entries of `CURLOPT_RESOLVE`.
    private(set) var resolve: [String] = []

    /// Entries of `CURLOPT_CONNECT_TO`.
    private(set) var connectTo: [String] = []

    init(_ options: TransferOptions) throws(InvalidOption) {
        for (index, entry) in options.resolve.enumerated() {
            resolve.append(try Self.line(entry, "resolve[\(index)]"))
        }
        for (index, entry) in options.connectTo.enumerated() {
            connectTo.append(try Self.line(entry, "connectTo[\(index)]"))
        }
        try chooseAddresses(options)
        if let socket = options.unixSocket {
            guard options.addressScope.isAny else {
                throw InvalidOption(
                    "addressScope",
                    "is .\(options.addressScope), and a unix socket leads to this machine; use .any, "
                        + "or remove unixSocket"
                )
            }
            try connect(to: socket)
        }
        if let interface = options.localInterface { try bind(to: interface) }
        if let ports = options.localPorts {
            try OptionCheck.port(Int(ports.lowerBound), "localPorts.lowerBound")
            settings.append(.number(.localPort, Int(ports.lowerBound)))
            if ports.count > 1 { settings.append(.number(.localPortRange, ports.count)) }
        }
        try configureTCP(options)
        if !options.reusesConnection {
            settings.append(.flag(.freshConnect, true))
            settings.append(.flag(.forbidReuse, true))
        }
    }

    private mutating func chooseAddresses(_ options: TransferOptions) throws(InvalidOption) {
        switch options.addressFamily {
        case .any: break
        case .ipv4: settings.append(.number(.ipResolve, EasyValue.AddressFamily.ipv4))
        case .ipv6: settings.append(.number(.ipResolve, EasyValue.AddressFamily.ipv6))
        }
        if let delay = options.happyEyeballsDelay {
            let milliseconds = try OptionCheck.milliseconds(delay, "happyEyeballsDelay")
            settings.append(.number(.happyEyeballsTimeoutMilliseconds, milliseconds))
        }
    }

    /// Rejects a proxy if the server's address has to be checked: only the proxy knows it.
    func refuseProxies(_ options: TransferOptions) throws(InvalidOption) {
        guard !options.addressScope.isAny else { return }
        let place = options.proxy == .environment ? "the environment names" : "the options name"
        throw InvalidOption(
            "addressScope",
            "is .\(options.addressScope), but \(place) a proxy, which connects to servers by itself, "
                + "so their addresses can't be checked; use no proxy, or use .any and let the proxy "
                + "refuse private addresses"
        )
    }

    private mutating func connect(to socket: UnixSocket) throws(InvalidOption) {
        guard CurlVersion.current.supportsUnixSockets else {
            throw InvalidOption("unixSocket", missing: "unix domain sockets")
        }
        let name: String
        let option: EasyOption<String?>
        switch socket {
        case .path(let path): (name, option) = (path, .unixSocketPath)
        case .abstract(let abstract): (name, option) = (abstract, .abstractUnixSocket)
        }
        try OptionCheck.filledText(name, "unixSocket")
        guard name.utf8.count <= 107 else {
            throw InvalidOption(
                "unixSocket",
                "has \(name.utf8.count) bytes, and the kernel takes at most 107; use a shorter path"
            )
        }
        settings.append(.text(option, name))
    }

    /// The prefixes prevent libcurl from resolving a name, which would block the event loop.
    private mutating func bind(to interface: LocalInterface) throws(InvalidOption) {
        switch interface {
        case .name(let name):
            try OptionCheck.filledText(name, "localInterface")
            guard name.utf8.count <= 15, !name.utf8.contains(where: { $0 == 0x20 || $0 == 0x2F })
            else {
                throw InvalidOption(
                    "localInterface",
                    "is no name of a network interface: those have at most 15 bytes, no space "
                        + "and no slash"
                )
            }
            settings.append(.text(.interface, "if!\(name)"))
        case .address(let address):
            guard NumericAddress.kind(of: address) != nil else {
                throw InvalidOption(
                    "localInterface",
                    "is no IP address; give an address of this machine, or use .name"
                )
            }
            settings.append(.text(.interface, "host!\(address)"))
        }
    }

    private mutating func configureTCP(_ options: TransferOptions) throws(InvalidOption) {
        if let keepAlive = options.tcpKeepAlive {
            let idle = try Self.seconds(keepAlive.idle, "tcpKeepAlive.idle")
            let interval = try Self.seconds(keepAlive.interval, "tcpKeepAlive.interval")
            settings.append(.flag(.tcpKeepAlive, true))
            // 60 is libcurl's default for both.
            if idle != 60 { settings.append(.number(.tcpKeepIdle, idle)) }
            if interval != 60 { settings.append(.number(.tcpKeepInterval, interval)) }
        }
        if !options.tcpNoDelay { settings.append(.flag(.tcpNoDelay, false)) }
        if options.tcpFastOpen { settings.append(.flag(.tcpFastOpen, true)) }
    }

    /// Whole seconds in the range that the kernel allows, see `tcp(7)`.
    private static func seconds(
        _ duration: Duration,
        _ option: String
    ) throws(InvalidOption) -> Int {
        guard duration >= .seconds(1), duration <= .seconds(32_767) else {
            throw InvalidOption(option, "is \(duration); give 1 to 32,767 seconds")
        }
        return Int(duration.components.seconds) + (duration.components.attoseconds > 0 ? 1 : 0)
    }

    static func line(
        _ entry: ResolveOverride,
        _ option: String
    ) throws(InvalidOption) -> String {
        guard NumericAddress.kind(of: entry.host) == nil else {
            throw InvalidOption("\(option).host", "is an address, which isn't looked up anyway")
        }
        let host = try OptionCheck.host(entry.host, "\(option).host")
        try OptionCheck.port(entry.port, "\(option).port")
        guard !entry.addresses.isEmpty else {
            throw InvalidOption("\(option).addresses", "is empty; give at least one IP address")
        }
        var addresses: [String] = []
        for (index, address) in entry.addresses.enumerated() {
            switch NumericAddress.kind(of: address) {
            case .ipv4: addresses.append(address)
            case .ipv6: addresses.append("[\(address)]")
            case nil:
                throw InvalidOption(
                    "\(option).addresses[\(index)]",
                    "is no IP address; give it without brackets, zone and port"
                )
            }
        }
        let prefix = entry.isPermanent ? "" : "+"
        return "\(prefix)\(host):\(entry.port):\(addresses.joined(separator: ","))"
    }

    static func line(
        _ entry: ConnectOverride,
        _ option: String
    ) throws(InvalidOption) -> String {
        func host(_ host: String?, _ name: String) throws(InvalidOption) -> String {
            guard let host else { return "" }
            return try OptionCheck.host(host, "\(option).\(name)")
        }
        func port(_ port: Int?, _ name: String) throws(InvalidOption) -> String {
            guard let port else { return "" }
            try OptionCheck.port(port, "\(option).\(name)")
            return String(port)
        }
        guard entry.toHost != nil || entry.toPort != nil else {
            throw InvalidOption(option, "changes nothing; give toHost or toPort")
        }
        let from = "\(try host(entry.host, "host")):\(try port(entry.port, "port"))"
        return "\(from):\(try host(entry.toHost, "toHost")):\(try port(entry.toPort, "toPort"))"
    }
}
