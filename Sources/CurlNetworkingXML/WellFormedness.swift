internal import Foundation
internal import FoundationXML

/// Checks that XML is well-formed (XML 1.0, 2.1).
///
/// On Linux, `XMLDocument` accepts any data, and traps on empty data. `XMLParser` accepts truncated
/// XML, whose elements have no end.
final class WellFormedness: NSObject, XMLParserDelegate {
    private var openElements = 0
    private var hasElement = false

    /// - Throws: The parser's error (`XMLParser.errorDomain`).
    static func require(_ data: Data) throws {
        let form = WellFormedness()
        let parser = XMLParser(data: data)
        parser.delegate = form
        let isParsed = !data.isEmpty && parser.parse()
        if let error = parser.parserError { throw error }
        guard isParsed, form.hasElement, form.openElements == 0 else {
            let code: XMLParser.ErrorCode =
                form.hasElement ? .prematureDocumentEndError : .emptyDocumentError
            throw NSError(domain: XMLParser.errorDomain, code: code.rawValue)
        }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes attributeDict: [String: String]
    ) {
        hasElement = true
        openElements += 1
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        openElements -= 1
    }
}
