public import CurlNetworking
public import Foundation
internal import FoundationXML

/// Makes a parser of a body, which hasn't begun to parse.
///
/// The media types `application/xml` and `text/xml` are acceptable. There is never an error about what
/// the body says: that is the parser's to tell. The object is a ``Handover`` of an `XMLParser`, because
/// parsers belong to one thread at a time:
///
/// ```swift
/// let parser = (responseObject as? Handover<XMLParser>)?.take()
/// ```
///
/// `@unchecked Sendable`: it stores nothing beside what its superclass does.
open class XMLParserResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    /// Creates a serializer.
    public required init() {
        super.init()
        acceptableContentTypes = ["application/xml", "text/xml"]
    }

    /// A parser of the body, be it empty; `nil` for another type.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error) else { return nil }
        return Handover(XMLParser(data: data ?? Data()))
    }
}
