internal import CurlNetworkingXML
internal import Foundation
internal import FoundationXML
internal import TestSupport
internal import Testing

@Suite struct XMLResponseSerializerTests {
    private func parser(_ result: Serialized) throws -> XMLParser {
        try #require(result.object as? XMLParser)
    }

    @Test("V-20: The XML serializer returns a parser that hasn't started")
    func xmlSerializerReturnsAParser() throws {
        let serializer = XMLParserResponseSerializer()
        #expect(serializer.acceptableContentTypes == ["application/xml", "text/xml"])
        for type in ["application/xml", "text/xml"] {
            let result = Serialized(serializer, try Responses.http(type: type), "<a><b/></a>")
            #expect(result.error == nil)
            #expect(try parser(result).parse())
        }
        // Invalid XML and an empty body are errors of the parser, not of the serializer.
        let broken = Serialized(serializer, try Responses.http(type: "text/xml"), "<a></b>")
        #expect(broken.error == nil)
        #expect(try !parser(broken).parse())
        let empty = Serialized(serializer, try Responses.http(type: "text/xml"), "")
        #expect(empty.error == nil)
        #expect(empty.object is XMLParser)
        let rss = Serialized(serializer, try Responses.http(type: "application/rss+xml"), "<a/>")
        #expect(rss.object == nil)
        #expect(rss.nsError?.code == -1016)
    }

    @Test("V-20, V-21: A completion handler gets the parser or the document itself")
    func handlerGetsTheParserOrTheDocument() async throws {
        let server = try LoopbackServer { _ in
            Reply(headers: [("Content-Type", "text/xml")], body: .bytes(Array("<a/>".utf8)))
        }
        let manager = URLSessionManager.test()
        manager.responseSerializer = XMLParserResponseSerializer()
        let parsed = try await manager.load(server.request())
        let parser = try #require(parsed.object as? XMLParser)
        #expect(parser.parse())
        manager.responseSerializer = XMLDocumentResponseSerializer()
        let read = try await manager.load(server.request())
        let document = try #require(read.object as? XMLDocument)
        #expect(document.rootElement()?.name == "a")
    }

    @Test("V-25: An archived XML serializer has its acceptable types and its options")
    func archivedXMLSerializerHasItsOptions() throws {
        let serializer = XMLDocumentResponseSerializer(xmlDocumentOptions: .nodePreserveAll)
        serializer.acceptableContentTypes = ["application/rss+xml"]
        let data = try JSONEncoder().encode(serializer)
        let decoded = try JSONDecoder().decode(XMLDocumentResponseSerializer.self, from: data)
        #expect(decoded.options == .nodePreserveAll)
        #expect(decoded.acceptance == serializer.acceptance)
        let parser = try JSONDecoder().decode(
            XMLParserResponseSerializer.self,
            from: JSONEncoder().encode(XMLParserResponseSerializer())
        )
        #expect(parser.acceptableContentTypes == ["application/xml", "text/xml"])
    }

    @Test("V-21: XML is parsed into a document")
    func xmlIsParsedIntoADocument() throws {
        let serializer = XMLDocumentResponseSerializer()
        #expect(serializer.options.rawValue == 0)
        let result = Serialized(serializer, try Responses.http(type: "text/xml"), "<a><b/></a>")
        #expect(result.error == nil)
        let document = result.object as? XMLDocument
        #expect(document?.rootElement()?.name == "a")
    }

    @Test("V-21: A document doesn't include local files")
    func documentDoesNotIncludeLocalFiles() throws {
        let folder = try TemporaryDirectory()
        let secret = try folder.write("a secret", to: "secret")
        let text = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file://\(secret)\">]><a>&x;</a>"
        let serializer = XMLDocumentResponseSerializer()
        let result = Serialized(serializer, try Responses.http(type: "text/xml"), text)
        let document = result.object as? XMLDocument
        #expect(document?.xmlString.contains("a secret") != true)
        #expect(document?.rootElement()?.stringValue?.contains("a secret") != true)
    }

    @Test("V-21: Invalid or empty XML is an error, with the status code's error underlying")
    func invalidXMLIsAnError() throws {
        let serializer = XMLDocumentResponseSerializer()
        for text in ["<a>", "", " ", "<a></b>", "text", "<a/><b/>", "<a>&x;</a>"] {
            let result = Serialized(serializer, try Responses.http(204, type: "text/xml"), text)
            #expect(result.object == nil)
            #expect(result.error != nil)
        }
        let refused = Serialized(serializer, try Responses.http(500, type: "text/xml"), "<a>")
        #expect(refused.chain.count == 2)
        #expect(refused.chain.last == "com.alamofire.error.serialization.response -1011")
        let error = try #require(refused.error)
        #expect(NetworkingError(error).isResponseSerialization)
    }

    @Test("V-25: A copy of a document serializer has its options")
    func aDocumentSerializersCopyHasItsOptions() {
        let serializer = XMLDocumentResponseSerializer(xmlDocumentOptions: .nodePreserveAll)
        #expect(serializer.copy().options == .nodePreserveAll)
        #expect(XMLParserResponseSerializer().copy().acceptableContentTypes?.count == 2)
    }
}
