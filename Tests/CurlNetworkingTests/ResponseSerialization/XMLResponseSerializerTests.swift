internal import CurlNetworkingXML
internal import Foundation
internal import FoundationXML
internal import TestSupport
internal import Testing

@Suite struct XMLResponseSerializerTests {
    private func parser(_ result: Serialized) throws -> XMLParser {
        let handover = try #require(result.object as? Handover<XMLParser>)
        return try #require(handover.take())
    }

    @Test("V-20: XML is handed over as a parser that hasn't begun")
    func xmlIsHandedOverAsAParser() throws {
        let serializer = XMLParserResponseSerializer()
        #expect(serializer.acceptableContentTypes == ["application/xml", "text/xml"])
        for type in ["application/xml", "text/xml"] {
            let result = Serialized(serializer, try Responses.http(type: type), "<a><b/></a>")
            #expect(result.error == nil)
            #expect(try parser(result).parse())
        }
        // What is no XML, and nothing at all, are the parser's to complain about.
        let broken = Serialized(serializer, try Responses.http(type: "text/xml"), "<a></b>")
        #expect(broken.error == nil)
        #expect(try !parser(broken).parse())
        let empty = Serialized(serializer, try Responses.http(type: "text/xml"), "")
        #expect(empty.error == nil)
        #expect(empty.object is Handover<XMLParser>)
        let rss = Serialized(serializer, try Responses.http(type: "application/rss+xml"), "<a/>")
        #expect(rss.object == nil)
        #expect(rss.nsError?.code == -1016)
    }

    @Test("V-20: Who takes a parser has it for himself")
    func aParserIsTakenOnce() throws {
        let result = Serialized(
            XMLParserResponseSerializer(),
            try Responses.http(type: "text/xml"),
            "<a/>"
        )
        let handover = try #require(result.object as? Handover<XMLParser>)
        #expect(handover.take() != nil)
        #expect(handover.take() == nil)
    }

    @Test("V-21: XML is parsed into a document")
    func xmlIsParsedIntoADocument() throws {
        let serializer = XMLDocumentResponseSerializer()
        #expect(serializer.options.rawValue == 0)
        let result = Serialized(serializer, try Responses.http(type: "text/xml"), "<a><b/></a>")
        #expect(result.error == nil)
        let document = (result.object as? Handover<XMLDocument>)?.take()
        #expect(document?.rootElement()?.name == "a")
    }

    @Test("V-21: A body doesn't bring files of this machine into its document")
    func filesOfThisMachineStayOut() throws {
        let folder = try TemporaryDirectory()
        let secret = try folder.write("a secret", to: "secret")
        let text = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file://\(secret)\">]><a>&x;</a>"
        let serializer = XMLDocumentResponseSerializer()
        let result = Serialized(serializer, try Responses.http(type: "text/xml"), text)
        let document = (result.object as? Handover<XMLDocument>)?.take()
        #expect(document?.xmlString.contains("a secret") != true)
        #expect(document?.rootElement()?.stringValue?.contains("a secret") != true)
    }

    @Test("V-21: What is no XML, nothing at all too, is an error on top of the status'")
    func whatIsNoXMLIsAnError() throws {
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

    @Test("V-25: A document serializer's copy has its options")
    func aDocumentSerializersCopyHasItsOptions() {
        let serializer = XMLDocumentResponseSerializer(xmlDocumentOptions: .nodePreserveAll)
        #expect(serializer.copy().options == .nodePreserveAll)
        #expect(XMLParserResponseSerializer().copy().acceptableContentTypes?.count == 2)
    }
}
