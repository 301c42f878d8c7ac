public import CurlNetworking
public import Foundation
public import FoundationXML
internal import Synchronization

/// Parses a body into an XML document.
///
/// The media types `application/xml` and `text/xml` are acceptable. A body that is no XML, an empty one
/// too, is an error. The object is a ``Handover`` of an `XMLDocument`, because documents belong to one
/// thread at a time:
///
/// ```swift
/// let document = (responseObject as? Handover<XMLDocument>)?.take()
/// ```
///
/// Files and hosts that a body names as its parts (external entities) are left alone, unless
/// ``options`` say `nodeLoadExternalEntitiesAlways`.
///
/// Foundation on Linux never frees a document whose elements were looked at. A program that reads many is
/// better off with ``XMLParserResponseSerializer``.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it, as its superclass' is.
open class XMLDocumentResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let mask = Mutex<UInt>(0)

    /// Creates a serializer without options.
    public required init() {
        super.init()
        acceptableContentTypes = ["application/xml", "text/xml"]
    }

    /// Creates a serializer that parses with some options.
    public convenience init(xmlDocumentOptions: XMLNode.Options) {
        self.init()
        options = xmlDocumentOptions
    }

    /// The options of `XMLDocument`; none by default.
    public final var options: XMLNode.Options {
        get { XMLNode.Options(rawValue: mask.withLock { $0 }) }
        set { mask.withLock { $0 = newValue.rawValue } }
    }

    /// The document. What is wrong with the XML has the error of an unacceptable status as its cause.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error) else { return nil }
        do {
            let data = data ?? Data()
            try WellFormedness.require(data)
            // Without a word about it, Foundation reads the files that a body names as its parts.
            let rules =
                options.contains(.nodeLoadExternalEntitiesAlways)
                ? options : options.union(.nodeLoadExternalEntitiesNever)
            return Handover(try XMLDocument(data: data, options: rules))
        } catch let failure {
            error = error.caused(failure)
            return nil
        }
    }

    open override func copy() -> Self {
        let copy = super.copy()
        copy.options = options
        return copy
    }
}
