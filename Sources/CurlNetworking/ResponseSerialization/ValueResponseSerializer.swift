public import CurlURLSession
public import Foundation
internal import Synchronization

/// What serializers that make values have in common: the rules about empty bodies, and what is done to
/// bodies before.
///
/// It is for ``DataResponseSerializer``, ``StringResponseSerializer``, ``DecodableResponseSerializer``
/// and those like them.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it, as its superclass' is.
open class ValueResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let settings = Mutex<ValueSettings>(ValueSettings())

    /// Creates a serializer with the default rules.
    public required init() {
        super.init()
    }

    /// Which responses may have an empty body. An empty body of others is an error with the code of
    /// `URLError.zeroByteResource`.
    public final var emptyResponseRules: EmptyResponseRules {
        get { settings.withLock { $0.emptyResponseRules } }
        set { settings.withLock { $0.emptyResponseRules = newValue } }
    }

    /// What is done to a body before a value is made of it; `nil`, the default, for nothing.
    public final var preprocessor: (any DataPreprocessor)? {
        get { settings.withLock { $0.preprocessor } }
        set { settings.withLock { $0.preprocessor = newValue } }
    }

    /// The bytes that a value is made of; `nil` for an empty body where that is allowed.
    ///
    /// - Throws: That the body is empty, or what the preprocessor throws.
    public final func body(
        of response: HTTPURLResponse?,
        to request: URLRequest?,
        data: Data?
    ) throws -> Data? {
        try settings.withLock { $0 }.body(of: response, to: request, data)
    }

    open override func copy() -> Self {
        let copy = super.copy()
        let settings = settings.withLock { $0 }
        copy.settings.withLock { $0 = settings }
        return copy
    }
}
