public import CurlNetworking
public import Foundation
public import FoundationXML
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects, as in its superclass.
/// Parses a body into an XML document.
///
/// The media types `application/xml` and `text/xml` are acceptable. A body that isn't XML is an
/// error, and so is an empty one. The object is an `XMLDocument`, as in AFNetworking:
///
/// ```swift
/// let document = responseObject as? XMLDocument
/// ```
///
/// Only one thread at a time may use a document. The notification that the task has completed and
/// event monitors get the same one.
///
/// External entities, which are files and URLs that a body refers to, aren't loaded unless
/// ``options`` contains `nodeLoadExternalEntitiesAlways`.
///
/// Foundation on Linux never frees a document whose elements were accessed. If your program parses
/// many documents, use ``XMLParserResponseSerializer``.
open class XMLDocumentResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let mask = Mutex<UInt>(0)

    private enum CodingKeys: CodingKey {
        case options
    }

    /// Creates a serializer without options.
    public required init() {
        super.init()
        acceptableContentTypes = ["application/xml", "text/xml"]
    }

    /// Creates a serializer with parsing options.
    public convenience init(xmlDocumentOptions: XMLNode.Options) {
        self.init()
        options = xmlDocumentOptions
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        options = XMLNode.Options(rawValue: try values.decode(UInt.self, forKey: .options))
    }

    /// Archives the serializer's settings.
    ///
    /// - Throws: `EncodingError` if there is a `validation`.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(options.rawValue, forKey: .options)
    }

    /// The options of `XMLDocument`; none by default.
    public final var options: XMLNode.Options {
        get { XMLNode.Options(rawValue: mask.withLock { $0 }) }
        set { mask.withLock { $0 = newValue.rawValue } }
    }

    /// Parses the document.
    ///
    /// An error in the XML has the error of an unacceptable status as its cause.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error) else { return nil }
        do {
            let data = data ?? Data()
            try WellFormedness.require(data)
            // By default, Foundation loads external entities from files.
            let rules =
                options.contains(.nodeLoadExternalEntitiesAlways)
                ? options : options.union(.nodeLoadExternalEntitiesNever)
            return ResponseObject.passing(try XMLDocument(data: data, options: rules))
        } catch let failure {
            error = error.caused(failure)
            return nil
        }
    }

    /// Returns a serializer with the same settings.
    open override func copy() -> Self {
        let copy = super.copy()
        copy.options = options
        return copy
    }
}

/// Passes XML objects on as the objects of responses.
///
/// `XMLParser` and `XMLDocument` aren't `Sendable`, because only one thread at a time may use such an
/// object. A serializer creates it for one response, keeps no reference to it, and passes it to the
/// manager. The program must not use it in a handler and an observer at once.
enum ResponseObject {
    /// Returns the object itself.
    ///
    /// `[Any]` and `[any Sendable]` are one type at run time, so the cast succeeds.
    ///
    /// - Parameter object: An object without other references.
    static func passing(_ object: sending some AnyObject) -> (any Sendable)? {
        let objects: Any = [object as Any]
        return (objects as? [any Sendable])?.first
    }
}
