import Foundation

/// The errors of a service.
enum APIError: Error, Equatable {
    case badAddress(String)
    case notModified
    case unauthorized
    case forbidden
    case notFound
    case rejected(status: Int, reason: String?)
    case overloaded(retryAfter: Int?)
    case server(status: Int)
    case undecodable

    /// The error for a status; nil for a successful one.
    init?(status: Int, retryAfter: String?, body: Data) {
        switch status {
        case 200..<300: return nil
        case 304: self = .notModified
        case 401: self = .unauthorized
        case 403: self = .forbidden
        case 404: self = .notFound
        case 429, 503: self = .overloaded(retryAfter: retryAfter.flatMap { Int($0) })
        case 400..<500:
            let problem = try? JSONDecoder().decode(Problem.self, from: body)
            self = .rejected(status: status, reason: problem?.detail)
        default: self = .server(status: status)
        }
    }
}
