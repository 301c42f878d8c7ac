internal import Foundation

/// What is noted beside a stored response: when it came, and which requests it answers.
struct CacheRecord: Sendable, Hashable, Codable {
    /// When the request was sent whose response this is, or which confirmed it.
    let requestTime: Date
    /// When the response's head came, or its confirmation.
    let responseTime: Date
    /// Which requests for its URL it answers.
    let variance: RequestVariance

    /// What is known of a response that somebody else made: as old as it says, and where it says
    /// nothing, older than any lifetime.
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
