public import CurlURLSession
public import Foundation
internal import Synchronization

/// Reads property lists into dictionaries, arrays, strings, numbers, dates and data.
///
/// The media type `application/x-plist` is acceptable. Of an empty body the object is `nil` without an
/// error, as with JSON; AFNetworking has an error there, also for a status that stands for no body.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it, as its superclass' is.
open class PropertyListResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let storage = Mutex<PropertyListResponseOptions>(PropertyListResponseOptions())

    /// Creates a serializer without options.
    public required init() {
        super.init()
        acceptableContentTypes = ["application/x-plist"]
    }

    /// Creates a serializer with a format, which makes no difference, and options.
    public convenience init(
        format: PropertyListSerialization.PropertyListFormat,
        readOptions: PropertyListSerialization.ReadOptions
    ) {
        self.init()
        options = PropertyListResponseOptions(format: format, readOptions: readOptions)
    }

    /// How the body is read, as one value, which can be stored and compared.
    public final var options: PropertyListResponseOptions {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }

    /// The format, which makes no difference: a body says itself what it is. XML by default.
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

    /// What the property list says. A body that is none is Foundation's error (`NSCocoaErrorDomain`,
    /// 3840), with that of an unacceptable status as its cause.
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

    open override func copy() -> Self {
        let copy = super.copy()
        copy.options = options
        return copy
    }
}
