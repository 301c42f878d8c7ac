import Foundation

/// A line of the results, as a consumer reads it.
struct ResultLine: Decodable, Sendable {
    struct Times: Decodable, Sendable {
        let queue: Double?
        let dns: Double?
        let connect: Double?
        let tls: Double?
        let ttfb: Double?
        let total: Double?
    }

    struct Failure: Decodable, Sendable {
        let code: String
        let message: String
        let curl: Int?
        let errno: Int?
    }

    let ordinal: Int
    let line: Int
    let tag: String?
    let url: String
    let final_url: String?
    let status: Int?
    let ok: Bool
    let error: Failure?
    let attempts: Int
    let bytes: Int
    let decoded_bytes: Int
    let sha256: String?
    let etag: String?
    let last_modified: String?
    let peer: String?
    let started_at: String?
    let content_type: String?
    let http_version: String?
    let reused: Bool
    let path: String?
    let t: Times

    static func lines(_ text: String) throws -> [ResultLine] {
        try text.split(separator: "\n").map {
            try JSONDecoder().decode(ResultLine.self, from: Data($0.utf8))
        }
    }
}
