internal import CurlURLSession
internal import Testing

@Suite struct HostRouteTests {
    @Test func localHostHasARoute() {
        #expect(HostRoute.address("127.0.0.1").exists)
        #expect(HostRoute.host("127.0.0.1").exists)
        #expect(HostRoute.host("localhost").exists)
    }

    @Test(arguments: ["", "localhost", "127.0.0.1\0", "[127.0.0.1", "256.0.0.1"])
    func invalidAddressHasNoRoute(text: String) {
        #expect(!HostRoute.address(text).exists)
    }
}
