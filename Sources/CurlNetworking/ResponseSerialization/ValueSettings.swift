public import CurlURLSession
public import Foundation

/// The settings of a ``ValueResponseSerializer``.
struct ValueSettings: Sendable {
    var emptyResponseRules = EmptyResponseRules()
    var preprocessor: (any DataPreprocessor)?

    /// Returns the data to decode; `nil` for an allowed empty body.
    func body(
        of response: HTTPURLResponse?,
        to request: URLRequest?,
        _ data: Data?
    ) throws -> Data? {
        if let data, !data.isEmpty {
            return try preprocessor.map { try $0.preprocess(data) } ?? data
        }
        guard emptyResponseRules.allow(request ?? CurrentRequest.current, response) else {
            throw NSError.missingBody(response)
        }
        return nil
    }
}

/// The request of the response that a manager's serializer receives.
///
/// Serializers receive no request as an argument, but some rules for empty bodies depend on it.
enum CurrentRequest {
    @TaskLocal static var current: URLRequest?
}

/// Defines which responses of value serializers may be empty.
public struct EmptyResponseRules: Sendable, Hashable, Codable {
    /// Status codes that allow an empty body.
    ///
    /// 204 (No Content) and 205 (Reset Content) by default.
    public var statusCodes: Set<Int>

    /// The methods that allow an empty response body; `HEAD` by default.
    ///
    /// They are in capital letters. They apply if the request is known: in
    /// ``ResponseValueSerialization/value(for:response:data:)``, and when a manager calls its
    /// serializer, also through a ``CompoundResponseSerializer``.
    public var requestMethods: Set<String>

    /// Creates rules.
    public init(statusCodes: Set<Int> = [204, 205], requestMethods: Set<String> = ["HEAD"]) {
        self.statusCodes = statusCodes
        self.requestMethods = requestMethods
    }

    /// Whether the response to a request may be empty.
    ///
    /// A `nil` argument is unknown, and allows nothing.
    public func allow(_ request: URLRequest?, _ response: HTTPURLResponse?) -> Bool {
        if let response, statusCodes.contains(response.statusCode) { return true }
        return request?.httpMethod.map { requestMethods.contains($0.uppercased()) } ?? false
    }
}

/// Changes a body before it is decoded.
public protocol DataPreprocessor: Sendable {
    /// Returns the body to decode.
    ///
    /// - Throws: An error that becomes the response's error.
    func preprocess(_ data: Data) throws -> Data
}

/// Removes the prefix `)]}',` and its line break from a body.
///
/// Some servers send the prefix to keep scripts of other sites from running the body.
public struct XSSIPreprocessor: DataPreprocessor {
    private static let prefix = Data(")]}',\n".utf8)

    /// Creates a preprocessor.
    public init() {}

    /// Returns the body without the prefix; unchanged if it has none.
    public func preprocess(_ data: Data) -> Data {
        data.starts(with: Self.prefix) ? Data(data.dropFirst(Self.prefix.count)) : data
    }
}
