internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// Requests and sequences for uploads.
enum SequenceUploads {
    static func post(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        return request
    }

    /// Bytes whose pattern reveals a misplaced piece.
    static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](count: count) { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    /// A sequence that can be iterated once.
    static func sequence<Element: Sendable>(_ elements: [Element]) -> AsyncStream<Element> {
        AsyncStream { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}
