public import CurlURLSession
public import Foundation
internal import Synchronization

/// Checks that a response is acceptable, and returns its body as it is.
///
/// The base of all serializers. It accepts the status codes 200 to 299, and any media type. One
/// serializer may be used by several managers, from any thread, while it is changed: what it is set to
/// when a response arrives counts.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it. A class that others may inherit from can't say so
/// otherwise; whoever does answers for what he adds.
open class HTTPResponseSerializer: URLResponseSerialization, @unchecked Sendable {
    /// A further check of a response and its body, which throws what is wrong with them.
    public typealias Validation = @Sendable (HTTPURLResponse, Data?) throws -> Void

    private let settings = Mutex<Settings>(Settings())

    private struct Settings: Sendable {
        var acceptance = ResponseAcceptance()
        var validation: Validation?
    }

    /// Creates a serializer with the defaults of its class.
    public required init() {}

    // MARK: What is acceptable

    /// Which responses are acceptable, as one value, which can be stored and compared.
    public final var acceptance: ResponseAcceptance {
        get { settings.withLock { $0.acceptance } }
        set { settings.withLock { $0.acceptance = newValue } }
    }

    /// The acceptable status codes; `nil` for all. A response with another one is an error with the
    /// domain ``URLResponseSerializationErrorDomain`` and the code of `URLError.badServerResponse`.
    public final var acceptableStatusCodes: IndexSet? {
        get { acceptance.statusCodes }
        set { settings.withLock { $0.acceptance.statusCodes = newValue } }
    }

    /// The acceptable media types, without parameters; `nil` for all. A response of another one is an
    /// error with the domain ``URLResponseSerializationErrorDomain`` and the code of
    /// `URLError.cannotDecodeContentData`, and isn't decoded.
    public final var acceptableContentTypes: Set<String>? {
        get { acceptance.contentTypes }
        set { settings.withLock { $0.acceptance.contentTypes = newValue } }
    }

    /// How media types are compared with ``acceptableContentTypes``; letter by letter by default.
    public final var contentTypeMatching: ContentTypeMatching {
        get { acceptance.contentTypeMatching }
        set { settings.withLock { $0.acceptance.contentTypeMatching = newValue } }
    }

    /// A further check, which is made after the others, where those found nothing wrong. `nil` by
    /// default. It is called on the thread that serializes.
    public final var validation: Validation? {
        get { settings.withLock { $0.validation } }
        set { settings.withLock { $0.validation = newValue } }
    }

    // MARK: Serializing

    /// Checks a response.
    ///
    /// - Parameters:
    ///   - response: The response. Without one there is nothing to check.
    ///   - data: The body, for errors to show.
    /// - Returns: What is wrong with it, with the body under
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

    /// Checks a response, and tells whether its body is to be decoded: it is, unless its media type
    /// isn't acceptable. What an error with an unacceptable status says is decoded where it can be.
    ///
    /// - Parameter error: Is set to what is wrong.
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

    /// The body as it is, also of a response that isn't acceptable.
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

    /// A serializer of the same class that is set to the same, and changes on its own from now on.
    ///
    /// A subclass with settings of its own copies them to what its superclass returns.
    open func copy() -> Self {
        let copy = Self()
        let settings = settings.withLock { $0 }
        copy.settings.withLock { $0 = settings }
        return copy
    }
}
