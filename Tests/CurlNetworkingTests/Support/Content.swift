internal import CurlNetworking
internal import Foundation
internal import TestSupport

/// The content of a server that supports ranges.
struct Content: Sendable {
    var bytes: [UInt8]
    var tag: String? = "\"a\""

    /// Bytes that differ for each number, with a period that doesn't divide a power of two.
    static func numbered(_ number: Int, count: Int) -> Content {
        Content(bytes: [UInt8](count: count) { UInt8(truncatingIfNeeded: ($0 &+ number) % 251) })
    }

    private var fields: [(String, String)] { tag.map { [("ETag", $0)] } ?? [] }

    /// The offset of the requested range, or `nil` if `If-Range` doesn't match this content.
    func offset(asked request: RecordedRequest) -> Int? {
        guard let range = request.header("Range"), request.header("If-Range") == tag else {
            return nil
        }
        return Int(range.dropFirst("bytes=".count).dropLast())
    }

    /// The reply that RFC 9110 prescribes.
    func reply(to request: RecordedRequest) -> Reply {
        guard let offset = offset(asked: request) else {
            return Reply(headers: fields, body: .bytes(bytes))
        }
        guard offset < bytes.count else {
            return Reply(416, headers: fields + [("Content-Range", "bytes */\(bytes.count)")])
        }
        let range = "bytes \(offset)-\(bytes.count - 1)/\(bytes.count)"
        return Reply(
            206,
            headers: fields + [("Content-Range", range)],
            body: .bytes([UInt8](bytes[offset...]))
        )
    }

    /// One half of the content, followed by these steps, or the requested range.
    func interruptedReply(to request: RecordedRequest, by steps: [Step] = [.stall]) -> Reply {
        offset(asked: request) == nil
            ? broken(after: bytes.count / 2, then: steps) : reply(to: request)
    }

    /// The first `count` bytes of the whole content, followed by these steps.
    func broken(
        after count: Int,
        headers: [(String, String)] = [],
        then steps: [Step] = [.reset]
    ) -> Reply {
        var head = "HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n"
        for (name, value) in fields + headers { head += "\(name): \(value)\r\n" }
        return .steps(
            [.send(Array((head + "\r\n").utf8)), .send([UInt8](bytes[..<count]))] + steps
        )
    }
}
