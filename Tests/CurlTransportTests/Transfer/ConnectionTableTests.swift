internal import Testing

@testable internal import Curl
@testable internal import CurlTransport

struct ConnectionTableTests {
    private func facts(
        _ table: inout ConnectionTable,
        _ remote: String = "192.0.2.1",
        port: Int = 443,
        local: String = "192.0.2.9",
        localPort: Int = 50_000,
        tls: TLSInfo? = nil
    ) -> ConnectionFacts? {
        table.facts(
            remoteAddress: AddressText(remote.utf8),
            remotePort: port,
            localAddress: AddressText(local.utf8),
            localPort: localPort,
            tls: tls
        )
    }

    @Test func transfersOverOneConnectionShareItsFacts() throws {
        var table = ConnectionTable()
        let first = try #require(facts(&table))
        #expect(facts(&table) === first)
        #expect(first.remotePort == 443)
        #expect(first.localPort == 50_000)
        #expect(first.localAddress.text == "192.0.2.9")
    }

    @Test func whatDiffersInAnythingIsAnotherConnection() throws {
        let tls = TLSInfo(version: "TLSv1.3", cipher: "A")
        var table = ConnectionTable()
        let first = try #require(facts(&table))
        for other in [
            facts(&table, "192.0.2.2"), facts(&table, port: 80), facts(&table, tls: tls),
            facts(&table, localPort: 50_000 + 2 * ConnectionTable.count),
        ] {
            #expect(other != first)
        }
        let renewed = facts(&table)
        #expect(renewed == first)
        #expect(renewed !== first)
    }

    @Test func aConnectionWithoutPortsIsSharedToo() throws {
        var table = ConnectionTable()
        let first = try #require(facts(&table, "/a/socket", port: 0, local: "", localPort: 0))
        #expect(first.localPort == nil)
        #expect(facts(&table, "/a/socket", port: 0, local: "", localPort: 0) === first)
    }

    @Test func whereNothingIsKnownThereAreNoFacts() {
        var table = ConnectionTable()
        let nothing = AddressText()
        #expect(
            table.facts(
                remoteAddress: nothing,
                remotePort: 0,
                localAddress: nothing,
                localPort: 0,
                tls: nil
            ) == nil
        )
    }
}
