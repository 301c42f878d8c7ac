internal import CurlURLSession
internal import Testing

/// Which routes in the kernel's tables are default routes.
@Suite struct NetworkRoutesTests {
    private static let names =
        "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT"

    /// A table with one row of IPv4.
    private static func table4(_ row: String) -> String { "\(names)\n\(row)\t0\t0\t0\n" }

    /// A row of IPv6.
    private static func row6(_ destination: String, _ length: String, _ flags: String) -> String {
        let zeros = String(repeating: "0", count: 32)
        return "\(destination) \(length) \(zeros) 00 fe800000000000000000000000000001 00000400 "
            + "00000001 00000000 \(flags)     eth0\n"
    }

    private static let zero6 = String(repeating: "0", count: 32)

    @Test(
        "A default route leads to every address, is up, and isn't on the loopback interface",
        arguments: [
            (table4("eth0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000"), "", true),
            (table4("br-1\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF"), "", false),
            (table4("tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080"), "", false),
            (table4("eth0\t00000000\t0100A8C0\t0002\t0\t0\t0\t00000000"), "", false),
            (table4("lo\t00000000\t00000000\t0001\t0\t0\t0\t00000000"), "", false),
            (table4("eth0\t00000000\t00000000\t0201\t0\t0\t0\t00000000"), "", false),
            ("", row6(zero6, "00", "00000003"), true),
            ("", row6("20010db8000000000000000000000000", "40", "00000001"), false),
            ("", row6("fd000000000000000000000000000000", "08", "00000001"), false),
            ("", row6(zero6, "60", "00000001"), false),
            ("", row6(zero6, "00", "00200200"), false),
            ("", "", false), (names, "", false), (table4("eth0\t00000000"), "no table", false),
        ]
    )
    func onlyDefaultRoutesCount(_ table4: String, _ table6: String, _ haveDefault: Bool) {
        #expect(NetworkRoutes(version4: table4, version6: table6).haveDefault == haveDefault)
    }

    @Test("A route to one network leads to other machines, without being a default route")
    func routeToOneNetworkIsNoDefaultRoute() {
        let bridge = Self.table4("br-1\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF")
        let routes = NetworkRoutes(version4: bridge, version6: "")
        #expect(routes.leadAnywhere && !routes.haveDefault)
    }
}
