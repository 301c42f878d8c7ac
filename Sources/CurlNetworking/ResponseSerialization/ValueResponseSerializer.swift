public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects, as in its superclass.
/// The base class of serializers that return values.
///
/// It implements the rules for empty bodies and the preprocessing of bodies, for
/// ``DataResponseSerializer``, ``StringResponseSerializer``, ``DecodableResponseSerializer`` and
/// custom serializers.
open class ValueResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let settings = Mutex<ValueSettings>(ValueSettings())

    private enum CodingKeys: CodingKey {
        case emptyResponseRules
    }

    /// Creates a serializer with the default rules.
    public required init() {
        super.init()
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        emptyResponseRules = try values.decode(EmptyResponseRules.self, forKey: .emptyResponseRules)
    }

    /// Archives the serializer's settings.
    ///
    /// - Throws: `EncodingError` if there is a ``preprocessor`` or a `validation`.
    open override func encode(to encoder: any Encoder) throws {
        let settings = settings.withLock { $0 }
        guard settings.preprocessor == nil else {
            throw EncodingError.cannotWrite(self, "has a preprocessor, which can't be encoded")
        }
        try super.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(settings.emptyResponseRules, forKey: .emptyResponseRules)
    }

    /// Which responses may have an empty body.
    ///
    /// Any other empty body is an error with the code of `URLError.zeroByteResource`.
    public final var emptyResponseRules: EmptyResponseRules {
        get { settings.withLock { $0.emptyResponseRules } }
        set { settings.withLock { $0.emptyResponseRules = newValue } }
    }

    /// Changes a body before it is decoded; `nil` by default.
    public final var preprocessor: (any DataPreprocessor)? {
        get { settings.withLock { $0.preprocessor } }
        set { settings.withLock { $0.preprocessor = newValue } }
    }

    /// Returns the data to decode; `nil` for an allowed empty body.
    ///
    /// - Throws: An error for an empty body that isn't allowed, or the error of the preprocessor.
    public final func body(
        of response: HTTPURLResponse?,
        to request: URLRequest?,
        data: Data?
    ) throws -> Data? {
        try settings.withLock { $0 }.body(of: response, to: request, data)
    }

    /// Returns a serializer with the same settings.
    open override func copy() -> Self {
        let copy = super.copy()
        let settings = settings.withLock { $0 }
        copy.settings.withLock { $0 = settings }
        return copy
    }
}
