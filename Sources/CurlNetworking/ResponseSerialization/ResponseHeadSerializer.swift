internal import CurlURLSession
internal import Foundation

/// Checks a download's status as another serializer does, which reads its file afterwards.
struct ResponseHeadSerializer: URLResponseSerialization {
    let other: any URLResponseSerialization

    func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        if let refusal = other.refusal(of: response) { error = refusal }
        return nil
    }
}
