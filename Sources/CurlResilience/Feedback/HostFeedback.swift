internal import CurlTransport

/// The host feedback from the end of an attempt.
package enum HostFeedback: Sendable, Hashable {
    /// The request succeeded; the first byte came after this time.
    case healthy(Duration)
    /// The host answered, but that doesn't raise the rate.
    case answered
    /// The host asked for fewer requests.
    case overloaded
    /// The host failed or couldn't be reached.
    case failing
    /// No information: the attempt ended for a reason on the client's side.
    case neutral
}

extension HostFeedback {
    /// Creates the feedback that a result gives about its origin.
    ///
    /// The statuses 408, 500, 502, 503 and 504 and failed transfers count as failures; 429 asks for
    /// fewer requests. Requests that were cancelled, or refused in this process, count as nothing.
    ///
    /// - Parameter latency: The time until the response's head.
    init(_ result: Result<HTTPClientResponse, TransportError>, latency: Duration) {
        switch result {
        case .success(let response):
            self =
                switch response.statusCode {
                case 408, 500, 502, 503, 504: .failing
                case 429: .overloaded
                case 200..<400: .healthy(latency)
                default: .answered
                }
        case .failure(let error):
            let isSilent =
                error.isLocalRefusal || error.retry == .never || error.code == .unanswered
            self = isSilent ? .neutral : .failing
        }
    }
}

extension RetryCause {
    /// Why a result may be worth a retry; nil if the result is final.
    init?(_ result: Result<HTTPClientResponse, TransportError>) {
        switch result {
        case .success(let response):
            guard !(200..<400).contains(response.statusCode) else { return nil }
            self = .status(response.statusCode)
        case .failure(let error):
            // The breaker refuses a retry, too, until its pause is over. The deadline is that of
            // all attempts, so it doesn't leave more time for a later one.
            guard error.code != .circuitOpen,
                !(error.code == .deadlineExceeded && error.isLocalRefusal)
            else { return nil }
            self = .transfer(
                isTransient: error.retry != .never,
                mayHaveReachedServer: error.retry != .always
            )
        }
    }
}
