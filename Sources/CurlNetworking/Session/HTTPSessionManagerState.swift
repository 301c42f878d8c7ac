internal import Foundation

/// What an ``HTTPSessionManager`` has beside what every manager has.
struct HTTPSessionManagerState: Sendable {
    var baseURL: URL?
    var requestSerializer = HTTPRequestSerializer()
}
