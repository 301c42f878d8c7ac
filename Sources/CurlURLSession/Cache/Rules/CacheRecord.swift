internal import Foundation
internal import HTTPSemantics

/// The cache's record of a response: its times and matching requests.
struct CacheRecord: Sendable, Hashable, Codable {
    /// When the request was sent that returned or last confirmed this response.
    let requestTime: Date
    /// When the response's head, or its last confirmation, arrived.
    let responseTime: Date
    /// The requests for its URL that the response answers.
    let variance: RequestVariance

    /// Creates a record for a response that other code created.
    ///
    /// The `Date` field gives its age. Without one, the response is older than any lifetime.
    init(unrecorded response: HTTPURLResponse) {
        let date = response.fields.values("Date").first.flatMap {
            HTTPDate.date(from: $0, near: .distantPast)
        }
        self.init(
            requestTime: date ?? .distantPast,
            responseTime: date ?? .distantPast,
            variance: .any
        )
    }

    init(requestTime: Date, responseTime: Date, variance: RequestVariance) {
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.variance = variance
    }
}
