import Posix
import Testing

/// Addresses as numbers, and the classes of those that no public server has.
@Suite struct AddressClassTests {
    @Test(
        "Each network of the registries has its class, from its first address to its last",
        arguments: [
            ("0.0.0.0", .loopback), ("0.255.255.255", .loopback), ("127.0.0.0", .loopback),
            ("127.0.0.1", .loopback), ("127.255.255.255", .loopback),
            ("10.0.0.0", .privateNetwork), ("10.255.255.255", .privateNetwork),
            ("172.16.0.0", .privateNetwork), ("172.31.255.255", .privateNetwork),
            ("192.168.0.0", .privateNetwork), ("192.168.255.255", .privateNetwork),
            ("100.64.0.0", .sharedNetwork), ("100.127.255.255", .sharedNetwork),
            ("169.254.0.0", .linkLocal), ("169.254.255.255", .linkLocal),
            ("169.254.169.254", .metadata), ("100.100.100.200", .metadata),
            ("192.0.0.192", .metadata), ("168.63.129.16", .metadata),
            ("192.0.0.0", .reserved), ("192.0.0.255", .reserved), ("192.0.2.1", .reserved),
            ("192.88.99.1", .reserved), ("198.18.0.0", .reserved), ("198.19.255.255", .reserved),
            ("198.51.100.7", .reserved), ("203.0.113.255", .reserved),
            ("224.0.0.0", .multicast), ("239.255.255.255", .multicast),
            ("240.0.0.0", .reserved), ("255.255.255.255", .reserved),
        ] as [(String, AddressClass)]
    )
    func specialIPv4AddressesHaveTheirClass(text: String, kind: AddressClass) throws {
        #expect(AddressClass(try #require(IPAddress(text))) == kind)
    }

    @Test(
        "The addresses beside each special network are public",
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.0", "168.63.129.15", "169.253.255.255", "169.255.0.0",
            "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0",
            "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
            "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0",
            "223.255.255.255", "8.8.8.8", "93.184.216.34", "2001:200::1", "2001:4860:4860::8888",
            "2001:db7:ffff::1", "2001:db9::1", "2606:4700::1111", "3ffe:ffff::1", "3fff:1000::1",
            "2000::", "2a00:1450::1",
        ]
    )
    func neighboursOfSpecialNetworksArePublic(text: String) throws {
        #expect(AddressClass(try #require(IPAddress(text))) == nil)
    }

    @Test(
        "IPv6 addresses that are local, reserved or for groups have their class",
        arguments: [
            ("::", .loopback), ("::1", .loopback), ("::2", .reserved), ("::127.0.0.1", .reserved),
            ("fe80::1", .linkLocal), ("fe80::1%eth0", .linkLocal), ("febf:ffff::1", .linkLocal),
            ("fc00::", .uniqueLocal), ("fdff:ffff::1", .uniqueLocal), ("fec0::1", .uniqueLocal),
            ("feff::1", .uniqueLocal), ("fd00:ec2::254", .metadata), ("fd20:ce::254", .metadata),
            ("fd00:ec2::253", .uniqueLocal), ("ff02::1", .multicast), ("ff00::", .multicast),
            ("100::1", .reserved), ("2001::1", .reserved), ("2001:1ff:ffff::1", .reserved),
            ("2001:db8::1", .reserved), ("3fff::1", .reserved), ("3fff:fff:ffff::1", .reserved),
            ("4000::1", .reserved), ("5f00::1", .reserved), ("fe00::1", .reserved),
            ("64:ff9b:1::808:808", .reserved), ("1fff::1", .reserved),
        ] as [(String, AddressClass)]
    )
    func specialIPv6AddressesHaveTheirClass(text: String, kind: AddressClass) throws {
        #expect(AddressClass(try #require(IPAddress(text))) == kind)
    }

    @Test(
        "An IPv6 address that carries an IPv4 address has the class of that one",
        arguments: [
            ("127.0.0.1", .loopback), ("0.0.0.0", .loopback), ("10.1.2.3", .privateNetwork),
            ("192.168.1.1", .privateNetwork), ("100.64.1.1", .sharedNetwork),
            ("169.254.169.254", .metadata), ("224.0.0.1", .multicast), ("8.8.8.8", nil),
            ("93.184.216.34", nil),
        ] as [(String, AddressClass?)]
    )
    func carriedIPv4AddressDecides(text: String, kind: AddressClass?) throws {
        guard case .ipv4(let bits) = try #require(IPAddress(text)) else {
            Issue.record("\(text) isn't an IPv4 address")
            return
        }
        let carried = UInt128(bits)
        let mapped = IPAddress.ipv6(0xFFFF << 32 | carried)
        let translated = IPAddress.ipv6(0xFFFF_0000 << 32 | carried)
        let nat64 = IPAddress.ipv6(0x0064_FF9B << 96 | carried)
        let sixToFour = IPAddress.ipv6(0x2002 << 112 | carried << 80 | 1)
        #expect(mapped.description == "::ffff:\(text)")
        for address in [mapped, translated, nat64, sixToFour] {
            #expect(AddressClass(address) == kind, "\(address)")
        }
    }

    @Test("Text and number of an address are converted into each other")
    func textAndNumberAgree() {
        #expect(IPAddress("192.0.2.255") == .ipv4(0xC000_02FF))
        #expect(IPAddress("::1") == .ipv6(1))
        #expect(IPAddress("fe80::2%lo") == .ipv6(0xFE80 << 112 | 2))
        #expect(IPAddress(bytes: [127, 0, 0, 1].span) == IPAddress("127.0.0.1"))
        let bytes: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [7]
        #expect(IPAddress(bytes: bytes.span)?.description == "2001:db8::7")
        for text in ["127.0.0.1", "255.255.255.255", "0.0.0.0", "2001:db8::7", "::"] {
            #expect(IPAddress(text)?.description == text)
        }
    }

    @Test(
        "Other text and other counts of bytes are no addresses",
        arguments: ["", "localhost", "127.1", "1.2.3.4%lo", "%lo", "[::1]", "::1\0", "2130706433"]
    )
    func otherTextIsNoAddress(text: String) {
        #expect(IPAddress(text) == nil)
        #expect(IPAddress(bytes: Array(text.utf8.prefix(3)).span) == nil)
        #expect(IPAddress(bytes: [UInt8](repeating: 1, count: 17).span) == nil)
    }

    @Test(
        "A network contains the addresses that begin with its bits, also mapped to IPv6",
        arguments: [
            ("10.0.0.7", "10.0.0.7", "10.0.0.6"), ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"),
            ("192.168.4.0/22", "192.168.7.255", "192.168.8.0"), ("0.0.0.0/0", "8.8.8.8", "::1"),
            ("10.0.0.0/8", "::ffff:10.1.2.3", "::10.1.2.3"), ("::1", "::1", "::2"),
            ("fd00::/8", "fdff::1", "fe00::1"), ("::/0", "2001:db8::1", "10.0.0.1"),
            ("::ffff:10.0.0.0/104", "10.1.2.3", "11.1.2.3"),
        ]
    )
    func networkContainsItsAddresses(text: String, inside: String, outside: String) throws {
        let network = try #require(IPNetwork(text))
        #expect(network.contains(try #require(IPAddress(inside))))
        #expect(!network.contains(try #require(IPAddress(outside))))
    }

    @Test(
        "Other text is no network",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.1/8",
            "::/129", "fe80::1%lo", "10.0.0.0/8/8", "localhost", "fd00::1/8",
        ]
    )
    func otherTextIsNoNetwork(text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test("Each class has a name for messages")
    func namesAreDistinct() {
        #expect(Set(AddressClass.allCases.map(\.name)).count == AddressClass.allCases.count)
    }
}
