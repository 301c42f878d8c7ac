import HTTPTypes
import Testing

@testable import CurlResilience

@Suite struct OriginTableTests {
    @Test("States that equal new ones are forgotten, and the others are kept")
    func unusedStatesAreForgotten() {
        var table = OriginTable<Int>(isForgettable: { $0 == 0 })
        for number in 0..<100_000 {
            let isUsed = number % 1000 == 0
            table.change("origin \(number)", new: 0) { $0 = isUsed ? number + 1 : 0 }
        }
        #expect(table.count < 2000)
        for number in stride(from: 0, to: 100_000, by: 1000) {
            #expect(table.change("origin \(number)", new: 0) { $0 } == number + 1)
        }
    }

    @Test(
        "An origin has a scheme and a host in lower case, and a port",
        arguments: [
            ("https", "Example.org", "https://example.org:443"),
            ("HTTP", "example.org", "http://example.org:80"),
            ("https", "example.org:8443", "https://example.org:8443"),
            ("http", "[::1]", "http://[::1]:80"), ("http", "[::1]:81", "http://[::1]:81"),
        ]
    )
    func originIsCanonical(scheme: String, authority: String, origin: String) {
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
        #expect(request.origin == origin)
    }
}
