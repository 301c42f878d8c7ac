internal import CurlNetworkingXML
internal import Foundation
internal import FoundationXML
internal import TestSupport
internal import Testing

/// XML serializers, with httpbin's document.
@Suite(.enabled(if: HTTPBinPeer.isAvailable), .timeLimit(.minutes(10)))
struct XMLFromHTTPBinTests {
    @Test func xmlIsParsed() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.responseSerializer = XMLDocumentResponseSerializer()
        let object = try await manager.get("xml")
        let document = try #require(object as? XMLDocument)
        #expect(document.rootElement()?.name == "slideshow")
        #expect(document.rootElement()?.elements(forName: "slide").count == 2)
    }

    @Test func unacceptableMediaTypeIsNotParsed() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.responseSerializer = XMLDocumentResponseSerializer()
        let error = try await #require(throws: (any Error).self) { try await manager.get("get") }
        #expect(NetworkingError(error).kind == .unacceptableContentType("application/json"))
    }
}
