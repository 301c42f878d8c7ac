internal import CurlURLSession
internal import Foundation

extension ResponseValueSerialization where Self: ValueResponseSerializer {
    /// The value, as a manager asks for it.
    ///
    /// Of an unacceptable response a value is made where that can be done; what keeps it from being made
    /// isn't told then, because the response's own error says more.
    func object(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?,
        _ make: (HTTPURLResponse?, Data?) throws -> Value
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error) else { return nil }
        do {
            return try make(response as? HTTPURLResponse, data)
        } catch let failure {
            if error == nil { error = failure }
            return nil
        }
    }

    /// Throws what is wrong with a response.
    func requireValid(_ response: HTTPURLResponse?, data: Data?) throws {
        if let error = validateResponse(response, data: data).error { throw error }
    }
}
