public import CurlNetworking
public import Foundation
internal import FoundationXML

// `@unchecked Sendable`: it has no stored properties except those of its superclass.
/// Creates a parser for a body; the parser isn't started.
///
/// The media types `application/xml` and `text/xml` are acceptable. Errors in the body are reported
/// by the parser, not by the serializer. The object is an `XMLParser`, as in AFNetworking:
///
/// ```swift
/// let parser = responseObject as? XMLParser
/// ```
///
/// Only one thread at a time may use a parser. The notification that the task has completed and event
/// monitors get the same one.
open class XMLParserResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    /// Creates a serializer.
    public required init() {
        super.init()
        acceptableContentTypes = ["application/xml", "text/xml"]
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Returns a parser for the body, even if it is empty.
    ///
    /// The result is `nil` for another media type.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error) else { return nil }
        return ResponseObject.passing(XMLParser(data: data ?? Data()))
    }
}
