import Glibc
import Posix
import Testing

/// Addresses as text, and routes to them.
@Suite struct AddressTests {
    @Test(
        "The text of an address decides between IPv4 and IPv6",
        arguments: [
            ("127.0.0.1", true), ("0.0.0.0", true), ("255.255.255.255", true), ("::", false),
            ("::1", false), ("2001:DB8:0:0:8:800:200C:417A", false),
            ("2001:db8::8:800:200c:417a", false), ("FF01::101", false), ("::13.1.68.3", false),
            ("::FFFF:129.144.52.38", false), ("0:0:0:0:0:FFFF:129.144.52.38", false),
        ] as [(String, Bool)]
    )
    func formDecidesTheFamily(text: String, isShort: Bool) {
        #expect(NumericAddress.kind(of: text) == (isShort ? .ipv4 : .ipv6))
    }

    @Test(
        "A host name or an incomplete address isn't a numeric address",
        arguments: [
            "", "localhost", "127.1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "0x7f.0.0.1", "1.2.3.4 ",
            " ::1", "[::1]", "fe80::1%lo", ":::", "1::2::3", "12345::", "::1/64", "1.2.3.4\0",
            "1.2.3.-4", "::ffff:1.2.3", "0:0:0:0:0:0:0:0:0", "2130706433",
        ]
    )
    func otherTextIsNoAddress(text: String) {
        #expect(NumericAddress.kind(of: text) == nil)
    }

    @Test("The text of an address is stored, up to the longest address's length")
    func storedAddressIsTheText() {
        let longest = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255"
        #expect(longest.utf8.count == AddressText.maximumLength)
        for text in ["", "1", "192.0.2.1", longest] {
            #expect(AddressText(text).text == text)
            #expect(AddressText(text).isEmpty == text.isEmpty)
        }
        #expect(AddressText(longest + "1").text == longest)
        #expect(AddressText() == AddressText(""))
    }

    @Test("Stored addresses are equal if their texts are")
    func equalTextsAreEqualAddresses() {
        let texts = ["", "1", "11", "192.0.2.1", "192.0.2.2", "::1", "::10"]
        for one in texts {
            for other in texts {
                let isSame = AddressText(one) == AddressText(other)
                #expect(isSame == (one == other), "\(one), \(other)")
            }
        }
        #expect(Set((texts + texts).map { AddressText($0) }).count == texts.count)
    }

    @Test("The loopback address has a route, and so has its name")
    func loopbackHasARoute() {
        #expect(RouteQuery.reaches("127.0.0.1", isAddress: true))
        #expect(RouteQuery.reaches("127.9.9.9", isAddress: true))
        #expect(RouteQuery.reaches("localhost", isAddress: false))
    }

    @Test(
        "Without a name lookup, only a numeric address has a route",
        arguments: ["", "localhost", "[::1]", "127.0.0.1\0", "127.0.0.1:80", "nonsense..name"]
    )
    func onlyAddressesHaveRoutesWithoutLookup(host: String) {
        #expect(!RouteQuery.reaches(host, isAddress: true))
    }

    @Test("Child processes don't inherit a route socket, and draining it doesn't block")
    func drainingDoesNotWait() throws {
        let socket = try RouteSocket()
        #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        socket.drain()
    }
}
