internal import Testing

@testable internal import Curl
@testable internal import CurlTransport
@testable internal import Posix

struct ConnectionTableTests {
    private func info(
        _ table: inout ConnectionTable,
        _ remote: String = "192.0.2.1",
        port: Int = 443,
        local: String = "192.0.2.9",
        localPort: Int = 50_000,
        tls: TLSInfo? = nil
    ) -> ConnectionInfo? {
        table.info(
            remoteAddress: AddressText(remote),
            remotePort: port,
            localAddress: AddressText(local),
            localPort: localPort,
            tls: tls
        )
    }

    @Test func transfersOverOneConnectionShareItsInfo() throws {
        var table = ConnectionTable()
        let first = try #require(info(&table))
        #expect(info(&table) === first)
        #expect(first.remotePort == 443)
        #expect(first.localPort == 50_000)
        #expect(first.localAddress.text == "192.0.2.9")
    }

    @Test func anyDifferenceMeansOtherConnection() throws {
        let tls = TLSInfo(version: "TLSv1.3", cipher: "A")
        var table = ConnectionTable()
        let first = try #require(info(&table))
        for other in [
            info(&table, "192.0.2.2"), info(&table, port: 80), info(&table, tls: tls),
            info(&table, localPort: 50_000 + 2 * ConnectionTable.count),
        ] {
            #expect(other != first)
        }
        let renewed = info(&table)
        #expect(renewed == first)
        #expect(renewed !== first)
    }

    @Test func connectionWithoutPortsIsShared() throws {
        var table = ConnectionTable()
        let first = try #require(info(&table, "/a/socket", port: 0, local: "", localPort: 0))
        #expect(first.localPort == nil)
        #expect(info(&table, "/a/socket", port: 0, local: "", localPort: 0) === first)
    }

    @Test func noInfoWithoutAddressesAndTLS() {
        var table = ConnectionTable()
        let nothing = AddressText()
        #expect(
            table.info(
                remoteAddress: nothing,
                remotePort: 0,
                localAddress: nothing,
                localPort: 0,
                tls: nil
            ) == nil
        )
    }
}
