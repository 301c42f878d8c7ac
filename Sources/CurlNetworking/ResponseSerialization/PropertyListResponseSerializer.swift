public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects, as in its superclass.
/// Parses property lists into dictionaries, arrays, strings, numbers, dates and data.
///
/// The media type `application/x-plist` is acceptable. For an empty body the object is `nil`
/// without an error, as with JSON. AFNetworking reports an error instead, even if the status
/// doesn't allow a body.
open class PropertyListResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let storage = Mutex<PropertyListResponseOptions>(PropertyListResponseOptions())

    /// Creates a serializer without options.
    public required init() {
        super.init()
        acceptableContentTypes = ["application/x-plist"]
    }

    /// Creates a serializer with a format, which has no effect, and options.
    public convenience init(
        format: PropertyListSerialization.PropertyListFormat,
        readOptions: PropertyListSerialization.ReadOptions
    ) {
        self.init()
        options = PropertyListResponseOptions(format: format, readOptions: readOptions)
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        options = try PropertyListResponseOptions(from: decoder)
    }

    /// Archives the serializer's settings.
    ///
    /// - Throws: `EncodingError` if there is a `validation`.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        try options.encode(to: encoder)
    }

    /// How the body is parsed, as one storable and comparable value.
    public final var options: PropertyListResponseOptions {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }

    /// The format, XML by default, which has no effect.
    ///
    /// The format is detected from the body.
    public final var format: PropertyListSerialization.PropertyListFormat {
        get { options.format }
        set { storage.withLock { $0.format = newValue } }
    }

    /// The options of `PropertyListSerialization`; none by default. See
    /// ``PropertyListResponseOptions/readOptions``.
    public final var readOptions: PropertyListSerialization.ReadOptions {
        get { options.readOptions }
        set { storage.withLock { $0.readOptions = newValue } }
    }

    /// Parses the property list.
    ///
    /// For a body that isn't a property list the error is Foundation's (`NSCocoaErrorDomain`,
    /// 3840), with the error of an unacceptable status as its cause.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error), let data, !data.isEmpty else {
            return nil
        }
        do {
            return try PropertyListReader.read(data)
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
