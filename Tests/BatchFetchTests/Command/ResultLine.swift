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

    let url: String
    let final_url: String?
    let status: Int?
    let ok: Bool
    let error: String?
    let attempts: Int
    let bytes: Int
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
