public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects. An `open` class can't declare this
// without `@unchecked`; a subclass is responsible for the state that it adds.
/// Checks that a response is acceptable, and returns its body unchanged.
///
/// It is the base class of all serializers. It accepts the status codes 200 to 299, and any media
/// type. Several managers may use one serializer from any thread while it is changed. The settings
/// at the time when a response arrives apply.
///
/// Serializers can be archived, except those with a ``validation`` or a `preprocessor`,
/// ``DecodableResponseSerializer``, and compounds of serializers other than this class and those of
/// JSON, property lists, images and compounds: `encode(to:)` throws `EncodingError`. A subclass
/// encodes its own settings.
open class HTTPResponseSerializer: URLResponseSerialization, Codable, @unchecked Sendable {
    /// A custom check, which throws if a response isn't acceptable.
    public typealias Validation = @Sendable (HTTPURLResponse, Data?) throws -> Void

    private let settings = Mutex<Settings>(Settings())

    private struct Settings: Sendable {
        var acceptance = ResponseAcceptance()
        var validation: Validation?
    }

    /// Creates a serializer with the defaults of its class.
    public required init() {}

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        let acceptance = try ResponseAcceptance(from: decoder)
        settings.withLock { $0.acceptance = acceptance }
    }

    /// Archives the serializer's settings.
    ///
    /// - Throws: `EncodingError` if there is a ``validation``.
    open func encode(to encoder: any Encoder) throws {
        let settings = settings.withLock { $0 }
        guard settings.validation == nil else {
            throw EncodingError.cannotWrite(self, "has a validation, which is a closure")
        }
        try settings.acceptance.encode(to: encoder)
    }

    // MARK: Acceptance

    /// Which responses are acceptable, as one storable and comparable value.
    public final var acceptance: ResponseAcceptance {
        get { settings.withLock { $0.acceptance } }
        set { settings.withLock { $0.acceptance = newValue } }
    }

    /// The acceptable status codes; `nil` for all.
    ///
    /// Another status is an error of the domain ``URLResponseSerializationErrorDomain`` with the
    /// code of `URLError.badServerResponse`.
    public final var acceptableStatusCodes: IndexSet? {
        get { acceptance.statusCodes }
        set { settings.withLock { $0.acceptance.statusCodes = newValue } }
    }

    /// The acceptable media types, without parameters; `nil` for all.
    ///
    /// A response of another type isn't decoded. It is an error of the domain
    /// ``URLResponseSerializationErrorDomain`` with the code of `URLError.cannotDecodeContentData`.
    public final var acceptableContentTypes: Set<String>? {
        get { acceptance.contentTypes }
        set { settings.withLock { $0.acceptance.contentTypes = newValue } }
    }

    /// How media types are compared with ``acceptableContentTypes``; `exact` by default.
    public final var contentTypeMatching: ContentTypeMatching {
        get { acceptance.contentTypeMatching }
        set { settings.withLock { $0.acceptance.contentTypeMatching = newValue } }
    }

    /// A custom check after the built-in checks have succeeded; `nil` by default.
    ///
    /// It is called on the thread that serializes the response.
    public final var validation: Validation? {
        get { settings.withLock { $0.validation } }
        set { settings.withLock { $0.validation = newValue } }
    }

    // MARK: Serializing

    /// Checks a response.
    ///
    /// - Parameters:
    ///   - response: The response. `nil` is valid.
    ///   - data: The body, which errors contain.
    /// - Returns: The validity. An error has the body under
    ///   ``NetworkingOperationFailingURLResponseDataErrorKey``.
    open func validateResponse(_ response: HTTPURLResponse?, data: Data?) -> ResponseValidity {
        guard let response else { return .valid }
        let settings = settings.withLock { $0 }
        let validity = settings.acceptance.validity(of: response, data: data)
        guard validity.isValid, let validation = settings.validation else { return validity }
        do {
            try validation(response, data)
            return .valid
        } catch {
            return .invalid(error)
        }
    }

    /// Checks a response, and returns whether its body is to be decoded.
    ///
    /// It is decoded unless its media type isn't acceptable. The body of a response with an
    /// unacceptable status is decoded if possible.
    ///
    /// - Parameter error: Set to the error of the check.
    public final func admits(
        _ response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> Bool {
        let validity = validateResponse(response as? HTTPURLResponse, data: data)
        guard case .invalid(let failure) = validity else { return true }
        error = failure
        return (failure as NSError?)?.isOrIsCausedBy(
            .cannotDecodeContentData,
            in: URLResponseSerializationErrorDomain
        ) != true
    }

    /// Returns the body unchanged, also for a response that isn't acceptable.
    open func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        if case .invalid(let failure) = validateResponse(
            response as? HTTPURLResponse,
            data: data
        ) {
            error = failure
        }
        return data
    }

    // MARK: Copying

    /// Returns an independent serializer of the same class with the same settings.
    ///
    /// A subclass with its own settings overrides this and copies them to the result of
    /// `super.copy()`.
    open func copy() -> Self {
        let copy = Self()
        let settings = settings.withLock { $0 }
        copy.settings.withLock { $0 = settings }
        return copy
    }
}
