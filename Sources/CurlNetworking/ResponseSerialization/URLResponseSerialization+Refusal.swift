internal import CurlURLSession
internal import Foundation

extension URLResponseSerialization {
    /// What is wrong with a download's response that has a status which isn't acceptable; `nil` where it is
    /// acceptable, or only the serializer itself can tell.
    func refusal(of response: URLResponse?) -> (any Error)? {
        if let head = self as? ResponseHeadSerializer { return head.other.refusal(of: response) }
        guard let response = response as? HTTPURLResponse,
            let serializer = self as? HTTPResponseSerializer
        else { return nil }
        if let compound = serializer as? CompoundResponseSerializer {
            // It is enough if one of them takes it.
            for case let one as HTTPResponseSerializer in compound.responseSerializers
            where one.refusal(of: response) == nil {
                return nil
            }
        }
        // Of a download, serializers see an empty body.
        guard !serializer.acceptance.accepts(statusCode: response.statusCode),
            case .invalid(let error) = serializer.validateResponse(response, data: Data())
        else { return nil }
        return error
    }
}
