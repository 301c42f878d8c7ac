internal import CurlNetworkingXML
internal import Foundation
internal import FoundationXML
internal import Testing

/// Which XML is well-formed.
@Suite struct XMLFormTests {
    private func read(_ text: String, status: Int = 200) throws -> Serialized {
        Serialized(
            XMLDocumentResponseSerializer(),
            try Responses.http(status, type: "text/xml"),
            text
        )
    }

    @Test(arguments: [
        "<a/>", "<?xml version=\"1.0\"?>\n<a></a>\n", "<!-- before --><a/><!-- after -->",
        "<a>\n  <b x='1'><c/></b>text<b/>\n</a>", "<a><![CDATA[<b>]]></a>",
        "<a xmlns:n='urn:n'><n:b/></a>",
    ])
    func wellFormedXMLIsADocument(text: String) throws {
        let result = try read(text)
        #expect(result.error == nil)
        let document = result.object as? XMLDocument
        #expect(document?.rootElement()?.name == "a")
    }

    @Test(arguments: [
        "<a><b></a>", "<a", "<a x=1/>", "<a x='1' x='2'/>", "<a>&lt</a>", "<!-- only -->",
        "<a>]]></a", "<a><b/>",
    ])
    func otherTextIsTheParsersError(text: String) throws {
        let result = try read(text)
        #expect(result.object == nil)
        #expect(result.nsError?.domain == XMLParser.errorDomain)
        let error = try #require(result.error)
        #expect(NetworkingError(error).kind == .undecodableBody)
    }

    @Test func missingBodyIsAnEmptyDocument() throws {
        let response = try Responses.http(type: "text/xml")
        for data in [nil, Data()] {
            let result = Serialized(XMLDocumentResponseSerializer(), response, data)
            #expect(result.object == nil)
            #expect(result.nsError?.code == XMLParser.ErrorCode.emptyDocumentError.rawValue)
        }
    }

    @Test func documentOfARefusedResponseComesWithItsError() throws {
        let result = try read("<problem/>", status: 422)
        #expect(result.nsError?.code == -1011)
        let document = result.object as? XMLDocument
        #expect(document?.rootElement()?.name == "problem")
        let other = Serialized(
            XMLDocumentResponseSerializer(),
            try Responses.http(type: "text/html"),
            "<a/>"
        )
        #expect(other.object == nil && other.nsError?.code == -1016)
    }

    @Test func copyChangesIndependently() {
        let serializer = XMLDocumentResponseSerializer(xmlDocumentOptions: .nodePreserveAll)
        serializer.acceptableContentTypes?.insert("application/rss+xml")
        let copy = serializer.copy()
        serializer.options = []
        serializer.acceptableContentTypes = nil
        #expect(copy.options == .nodePreserveAll)
        #expect(copy.acceptableContentTypes?.count == 3)
    }
}
