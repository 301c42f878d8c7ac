public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects, as in its superclass.
/// Parses JSON into dictionaries, arrays, strings, numbers and `NSNull`.
///
/// The media types `application/json`, `text/json` and `text/javascript` are acceptable. For an
/// empty body the object is `nil` without an error. So it is for a single space, which some servers
/// send instead of an empty body.
open class JSONResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let storage = Mutex<JSONResponseOptions>(JSONResponseOptions())

    /// Creates a serializer without options.
    public required init() {
        super.init()
        acceptableContentTypes = ["application/json", "text/json", "text/javascript"]
    }

    /// Creates a serializer with reading options.
    public convenience init(readingOptions: JSONSerialization.ReadingOptions) {
        self.init()
        self.readingOptions = readingOptions
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        options = try JSONResponseOptions(from: decoder)
    }

    /// Archives the serializer's settings.
    ///
    /// - Throws: `EncodingError` if there is a `validation`.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        try options.encode(to: encoder)
    }

    /// How the body is parsed, as one storable and comparable value.
    public final var options: JSONResponseOptions {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }

    /// The options of `JSONSerialization`; none by default. See
    /// ``JSONResponseOptions/readingOptions``.
    public final var readingOptions: JSONSerialization.ReadingOptions {
        get { options.readingOptions }
        set { storage.withLock { $0.readingOptions = newValue } }
    }

    /// Whether `null` in objects and arrays is removed; `false` by default.
    public final var removesKeysWithNullValues: Bool {
        get { options.removesKeysWithNullValues }
        set { storage.withLock { $0.removesKeysWithNullValues = newValue } }
    }

    /// Parses the JSON.
    ///
    /// For a body that isn't JSON the error is Foundation's (`NSCocoaErrorDomain`, 3840), with the
    /// error of an unacceptable status as its cause.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error), let data, !Self.isBlank(data) else {
            return nil
        }
        let options = options
        do {
            let object = try JSONSerialization.jsonObject(
                with: data,
                options: options.readingOptions.subtracting([.mutableContainers, .mutableLeaves])
            )
            guard options.removesKeysWithNullValues else { return SendableTree.json(object) }
            return SendableTree.json(JSONObjectByRemovingKeysWithNullValues(object))
        } catch let failure {
            error = error.caused(failure)
            return nil
        }
    }

    /// Whether the body is empty or a single space.
    ///
    /// Rails sends the space for an empty body.
    private static func isBlank(_ data: Data) -> Bool {
        data.isEmpty || (data.count == 1 && data.first == UInt8(ascii: " "))
    }

    /// Returns a serializer with the same settings.
    open override func copy() -> Self {
        let copy = super.copy()
        copy.options = options
        return copy
    }
}
