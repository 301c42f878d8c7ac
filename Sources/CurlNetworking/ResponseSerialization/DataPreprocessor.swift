public import Foundation

/// Changes a body before a value is made of it.
public protocol DataPreprocessor: Sendable {
    /// The body as it is to be decoded.
    ///
    /// - Throws: What is wrong with it, which becomes the response's error.
    func preprocess(_ data: Data) throws -> Data
}

/// Leaves out the `)]}',` and the line's end by which some servers keep scripts of other sites from
/// running what they send.
public struct XSSIPreprocessor: DataPreprocessor {
    private static let prefix = Data(")]}',\n".utf8)

    /// Creates a preprocessor.
    public init() {}

    /// The body without the prefix, or as it is.
    public func preprocess(_ data: Data) -> Data {
        data.starts(with: Self.prefix) ? Data(data.dropFirst(Self.prefix.count)) : data
    }
}
