public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: the only property that it adds is a constant lock, which the compiler
// proves to be `Sendable` together with the state that it protects.
/// Creates requests with property lists as bodies.
///
/// It is AFNetworking's `AFPropertyListRequestSerializer`. For methods whose parameters are in the
/// URL, they become a query, as with ``HTTPRequestSerializer``. A request without parameters has no
/// body and no `Content-Type`.
open class PropertyListRequestSerializer: HTTPRequestSerializer, @unchecked Sendable {
    private let propertyList = Mutex<PropertyListRequestOptions>(PropertyListRequestOptions())

    /// Creates a serializer that writes XML.
    public required init() {
        super.init()
    }

    /// Creates a serializer with a format.
    ///
    /// - Parameter writeOptions: Reserved; Foundation requires 0.
    public convenience init(
        format: PropertyListSerialization.PropertyListFormat,
        writeOptions: PropertyListSerialization.WriteOptions = 0
    ) {
        self.init()
        self.format = format
        self.writeOptions = writeOptions
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        let options = try PropertyListRequestOptions(from: decoder)
        propertyList.withLock { $0 = options }
    }

    /// Archives the serializer's configuration.
    ///
    /// - Throws: `EncodingError` if the configuration contains a closure.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        try propertyList.withLock { $0 }.encode(to: encoder)
    }

    /// Returns a serializer with the same settings.
    open override func copy() -> Self {
        let copy = super.copy()
        let options = propertyList.withLock { $0 }
        copy.propertyList.withLock { $0 = options }
        return copy
    }

    /// The format of bodies; XML by default.
    open var format: PropertyListSerialization.PropertyListFormat {
        get { propertyList.withLock { $0.format } }
        set { propertyList.withLock { $0.format = newValue } }
    }

    /// Reserved; Foundation requires 0.
    open var writeOptions: PropertyListSerialization.WriteOptions {
        get { propertyList.withLock { $0.writeOptions } }
        set { propertyList.withLock { $0.writeOptions = newValue } }
    }

    /// Copies a request, and adds parameters and missing default headers.
    ///
    /// - Throws: Errors of `PropertyListSerialization`, for example for keys that aren't text; an
    ///   error of ``URLRequestSerializationErrorDomain`` for an unsupported format.
    open override func request(
        bySerializing request: URLRequest,
        withParameters parameters: Any?
    ) throws -> URLRequest {
        guard !encodesParametersInURI(of: request) else {
            return try super.request(bySerializing: request, withParameters: parameters)
        }
        var request = try addingDefaultHeaders(to: request)
        guard let parameters else { return request }
        let options = try writableOptions()
        request.httpBody = try PropertyListSerialization.data(
            fromPropertyList: parameters,
            format: options.format,
            options: options.writeOptions
        )
        request.setContentType("application/x-plist")
        return request
    }

    /// Copies a request, and adds `Encodable` parameters and missing default headers.
    ///
    /// - Throws: `EncodingError`, or an error of the parameters; an error of
    ///   ``URLRequestSerializationErrorDomain`` for an unsupported format.
    open override func request(
        bySerializing request: URLRequest,
        encoding parameters: some Encodable
    ) throws -> URLRequest {
        guard !encodesParametersInURI(of: request) else {
            return try super.request(bySerializing: request, encoding: parameters)
        }
        var request = try addingDefaultHeaders(to: request)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = try writableOptions().format
        request.httpBody = try encoder.encode(parameters)
        request.setContentType("application/x-plist")
        return request
    }

    /// - Throws: An error for options with which Foundation would end the process.
    private func writableOptions() throws -> PropertyListRequestOptions {
        let options = propertyList.withLock { $0 }
        guard options.format != .openStep else {
            throw URLRequestSerializationError.invalidParameters(
                "Foundation writes no property lists in the OpenStep format; choose XML or binary."
            )
        }
        guard options.writeOptions >= 0 else {
            throw URLRequestSerializationError.invalidParameters(
                "The write options of the property list serializer are negative; use 0."
            )
        }
        return options
    }
}
