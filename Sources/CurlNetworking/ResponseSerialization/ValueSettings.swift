internal import CurlURLSession
internal import Foundation

/// What serializers that make values have in common.
struct ValueSettings: Sendable {
    var emptyResponseRules = EmptyResponseRules()
    var preprocessor: (any DataPreprocessor)?

    /// The bytes that a value is made of; `nil` for an empty body where that is allowed.
    func body(
        of response: HTTPURLResponse?,
        to request: URLRequest?,
        _ data: Data?
    ) throws -> Data? {
        if let data, !data.isEmpty {
            return try preprocessor.map { try $0.preprocess(data) } ?? data
        }
        guard emptyResponseRules.allow(request ?? AnsweredRequest.current, response) else {
            throw NSError.missingBody(response)
        }
        return nil
    }
}
