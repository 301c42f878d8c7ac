public import CurlURLSession
public import Foundation
internal import Synchronization

/// Makes requests whose parameters are a body that is a property list: AFNetworking's
/// `AFPropertyListRequestSerializer`.
///
/// Parameters of methods that have theirs in the URL are a query, as with ``HTTPRequestSerializer``.
/// A request without parameters has no body and no `Content-Type`.
///
/// `@unchecked Sendable`: the one property that it adds is constant, and a lock, which the compiler
/// proves to be `Sendable` with all that is behind it.
open class PropertyListRequestSerializer: HTTPRequestSerializer, @unchecked Sendable {
    private let propertyList = Mutex<PropertyListRequestOptions>(PropertyListRequestOptions())

    /// Creates a serializer that writes XML.
    public required init() {
        super.init()
    }

    /// Creates a serializer that writes a format.
    ///
    /// - Parameter writeOptions: Has no meaning yet; Foundation wants 0.
    public convenience init(
        format: PropertyListSerialization.PropertyListFormat,
        writeOptions: PropertyListSerialization.WriteOptions = 0
    ) {
        self.init()
        self.format = format
        self.writeOptions = writeOptions
    }

    /// Reads a serializer that was archived.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        let options = try PropertyListRequestOptions(from: decoder)
        propertyList.withLock { $0 = options }
    }

    /// Archives the serializer's configuration.
    ///
    /// - Throws: `EncodingError` where there is a closure in it.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        try propertyList.withLock { $0 }.encode(to: encoder)
    }

    open override func copy() -> Self {
        let copy = super.copy()
        let options = propertyList.withLock { $0 }
        copy.propertyList.withLock { $0 = options }
        return copy
    }

    /// The format of bodies. XML unless set.
    open var format: PropertyListSerialization.PropertyListFormat {
        get { propertyList.withLock { $0.format } }
        set { propertyList.withLock { $0.format = newValue } }
    }

    /// Has no meaning yet; Foundation wants 0.
    open var writeOptions: PropertyListSerialization.WriteOptions {
        get { propertyList.withLock { $0.writeOptions } }
        set { propertyList.withLock { $0.writeOptions = newValue } }
    }

    /// A copy of a request with the default headers that it lacks, and with parameters.
    ///
    /// - Throws: What `PropertyListSerialization` throws, for keys that aren't text for instance; an error of
    ///   ``URLRequestSerializationErrorDomain`` for a format that can't be written.
    open override func request(
        bySerializing request: URLRequest,
        withParameters parameters: Any?
    ) throws -> URLRequest {
        guard !encodesParametersInURI(of: request) else {
            return try super.request(bySerializing: request, withParameters: parameters)
        }
        var request = addingDefaultHeaders(to: request)
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

    /// A copy of a request with the default headers that it lacks, and with `Encodable` parameters.
    ///
    /// - Throws: `EncodingError`, or what the parameters throw.
    open override func request(
        bySerializing request: URLRequest,
        encoding parameters: some Encodable
    ) throws -> URLRequest {
        guard !encodesParametersInURI(of: request) else {
            return try super.request(bySerializing: request, encoding: parameters)
        }
        var request = addingDefaultHeaders(to: request)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = try writableOptions().format
        request.httpBody = try encoder.encode(parameters)
        request.setContentType("application/x-plist")
        return request
    }

    /// - Throws: What Foundation would end the process for.
    private func writableOptions() throws -> PropertyListRequestOptions {
        let options = propertyList.withLock { $0 }
        guard options.format != .openStep else {
            throw URLRequestSerializationError.invalidParameters(
                "Foundation writes no property lists in the OpenStep format; choose XML or binary."
            )
        }
        guard options.writeOptions >= 0 else {
            throw URLRequestSerializationError.invalidParameters(
                "The write options of the property list serializer are negative; they have to be 0."
            )
        }
        return options
    }
}
