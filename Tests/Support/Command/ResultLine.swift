internal import Foundation

/// A line of the results, decoded as a consumer would.
package struct ResultLine: Decodable, Sendable {
    package struct Times: Decodable, Sendable {
        package let queue: Double?
        package let dns: Double?
        package let connect: Double?
        package let tls: Double?
        package let ttfb: Double?
        package let total: Double?
    }

    package struct Failure: Decodable, Sendable {
        package let code: String
        package let message: String
        package let curl: Int?
        package let errno: Int?
    }

    package let ordinal: Int
    package let line: Int
    package let tag: String?
    package let url: String
    package let final_url: String?
    package let status: Int?
    package let ok: Bool
    package let error: Failure?
    package let attempts: Int
    package let bytes: Int
    package let decoded_bytes: Int
    package let sha256: String?
    package let etag: String?
    package let last_modified: String?
    package let peer: String?
    package let started_at: String?
    package let content_type: String?
    package let http_version: String?
    package let reused: Bool
    package let path: String?
    package let shard: String?
    package let offset: Int?
    package let t: Times

    package static func lines(_ text: String) throws -> [ResultLine] {
        try text.split(separator: "\n").map {
            try JSONDecoder().decode(ResultLine.self, from: Data($0.utf8))
        }
    }
}
