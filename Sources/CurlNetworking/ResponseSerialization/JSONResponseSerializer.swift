public import CurlURLSession
public import Foundation
internal import Synchronization

/// Reads JSON into dictionaries, arrays, strings, numbers and `NSNull`.
///
/// The media types `application/json`, `text/json` and `text/javascript` are acceptable. Of an empty
/// body, and of a single space, which some servers send in its place, the object is `nil` without an
/// error.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it, as its superclass' is.
open class JSONResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let storage = Mutex<JSONResponseOptions>(JSONResponseOptions())

    /// Creates a serializer without options.
    public required init() {
        super.init()
        acceptableContentTypes = ["application/json", "text/json", "text/javascript"]
    }

    /// Creates a serializer that reads with some options.
    public convenience init(readingOptions: JSONSerialization.ReadingOptions) {
        self.init()
        self.readingOptions = readingOptions
    }

    /// How the body is read, as one value, which can be stored and compared.
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

    /// Whether what is `null` in objects and arrays is left out; `false` by default.
    public final var removesKeysWithNullValues: Bool {
        get { options.removesKeysWithNullValues }
        set { storage.withLock { $0.removesKeysWithNullValues = newValue } }
    }

    /// What the JSON says. A body that is none is Foundation's error (`NSCocoaErrorDomain`, 3840), with
    /// that of an unacceptable status as its cause.
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

    /// Whether there is nothing, or what Rails sends for nothing.
    private static func isBlank(_ data: Data) -> Bool {
        data.isEmpty || (data.count == 1 && data.first == UInt8(ascii: " "))
    }

    open override func copy() -> Self {
        let copy = super.copy()
        copy.options = options
        return copy
    }
}
