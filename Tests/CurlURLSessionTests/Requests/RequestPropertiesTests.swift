import Foundation
import Testing

@testable import CurlURLSession

struct RequestPropertiesTests {
    private func request() throws -> NSMutableURLRequest {
        NSMutableURLRequest(url: try #require(URL(string: "http://example.com/a")))
    }

    @Test func copiesHaveTheProperties() throws {
        let object = try request()
        object.state.properties = object.state.properties.setting(true, for: "seen")
        let value = URLRequest(object)
        object.state.properties = object.state.properties.setting(nil, for: "seen")
        #expect(value.state.properties.values["seen"] as? Bool == true)
        #expect(object.state.properties.values.isEmpty)
        let again = try #require(NSURLRequest(value).mutableCopy() as? NSMutableURLRequest)
        #expect(again.state.properties.values["seen"] as? Bool == true)
    }

    @Test func equalityIgnoresTheProperties() throws {
        let (first, second) = (try request(), try request())
        first.state.properties = first.state.properties.setting(1, for: "a")
        #expect(first.isEqual(second))
        #expect(first.hash == second.hash)
        #expect(URLRequest(first) == URLRequest(second))
    }

    @Test func bodyInMemoryCanBeReadAsAStream() throws {
        var request = URLRequest(try request())
        request.httpBody = Data("body".utf8)
        #expect(request.httpBodyStream == nil)
        let stream = InputStream(data: Data("body".utf8))
        request.state.properties = request.state.properties.setting(bodyStream: stream)
        #expect(request.httpBody == Data("body".utf8))
        #expect(request.httpBodyStream === stream)

        var changed = request
        changed.httpBody = Data("other".utf8)
        #expect(changed.httpBodyStream == nil)
        changed = request
        changed.httpBodyStream = nil
        #expect(changed.httpBody == nil)
        #expect(changed.httpBodyStream == nil)
        #expect(request.httpBodyStream === stream)
    }
}
