import Foundation
import Synchronization
import TestSupport

@testable import BatchFetch

/// A server with every kind of fault, which records how clients treat it.
final class HostileHost: Sendable {
    let server: LoopbackServer
    let ledger: HostLedger
    let urls: [HostileURL]
    private let answers: Answers

    init(number: Int, limit: Int, using generator: inout SeededGenerator) throws {
        urls = HostileURL.all(of: number, using: &generator)
        ledger = HostLedger(limit: limit)
        let byPath = Dictionary(uniqueKeysWithValues: urls.map { ($0.path, $0) })
        let answers = Answers(urls: byPath, ledger: ledger)
        self.answers = answers
        server = try LoopbackServer.scripted { answers.cycle(on: $0) }
        ledger.begin(server)
    }

    /// Sets the host that redirects to another host lead to.
    func neighbour(_ host: HostileHost) { answers.neighbour.withLock { $0 = host.server.url } }

    var rule: String { "127.0.0.1:\(server.port): concurrency=\(ledger.limit)" }
}

/// Answers the requests of a host.
private final class Answers: Sendable {
    let neighbour = Mutex("")
    private let urls: [String: HostileURL]
    private let ledger: HostLedger

    init(urls: [String: HostileURL], ledger: HostLedger) {
        self.urls = urls
        self.ledger = ledger
    }

    /// The steps that serve one request after the other.
    func cycle(on connection: Int) -> [Step] {
        [
            .readHead, .readBody, .letOthers,
            .respond { [self] request in
                let before = ledger.arrived(request.path, on: connection)
                // No request is answered before a client, however slow, has reached its limit;
                // after that each answer takes long enough that several requests are in flight.
                let time = Duration.milliseconds(2 + request.path.utf8.count * 7 % 11)
                return [.waitFor(ledger.isFull), .after(time)] + answer(request, before, connection)
                    + cycle(on: connection)
            },
        ]
    }

    private func answer(
        _ request: RecordedRequest,
        _ before: Int,
        _ connection: Int
    ) -> [Step] {
        let path = request.path
        guard let url = urls[path] else {
            // The target of a redirect.
            let origin = String(path.dropFirst("/landing".count))
            return answered(.bytes(HostileURL.body(of: origin)), request, connection)
        }
        if before < url.faults.count {
            return fault(url.faults[before], of: url, request, connection)
        }
        let reply: Reply =
            switch url.ending {
            case .good: .bytes(url.body)
            case .gone: .text("no such thing", status: 404)
            case .failing: .text("never", status: 500)
            case .damaged: .bytes(damaged(url.body))
            case .loop: .redirect(to: path)
            }
        return answered(reply, request, connection)
    }

    private func answered(_ reply: Reply, _ request: RecordedRequest, _ connection: Int) -> [Step] {
        [note { $0.answered(on: connection) }] + reply.steps(for: request)
    }

    private func note(_ body: @escaping @Sendable (HostLedger) -> Void) -> Step {
        .respond { [ledger] _ in
            body(ledger)
            return []
        }
    }

    private func fault(
        _ fault: HostileFault,
        of url: HostileURL,
        _ request: RecordedRequest,
        _ connection: Int
    ) -> [Step] {
        let body = url.body
        let half = Array(body[..<(body.count / 2)])
        switch fault {
        case .resetBeforeHead:
            return [note { $0.lost(url.path, on: connection) }, .reset]
        case .stallBeforeHead:
            return [.stall]
        case .stallInBody:
            return [.send(head(length: body.count) + half), .stall]
        case .busySeconds:
            return pausing(1, 429, request, connection)
        case .overloadedSeconds:
            return pausing(1, 503, request, connection)
        case .busyDate:
            return [
                .respond { [self] request in
                    // In this order, without statements in between: any delay here makes the pause
                    // end earlier, not later.
                    let instant = ContinuousClock.now
                    let now = Date().timeIntervalSince1970
                    let date = now.rounded(.down) + 2
                    let end = instant + .seconds(date - now)
                    return pausing(until: end, Self.text(date), 429, request, connection)
                }
            ]
        default:
            return answered(reply(fault, url, half), request, connection)
        }
    }

    private func reply(_ fault: HostileFault, _ url: HostileURL, _ half: [UInt8]) -> Reply {
        let body = url.body
        return switch fault {
        case .resetInBody: .steps([.send(head(length: body.count) + half), .reset])
        case .lengthTooLong: .steps([.send(head(length: body.count + 50) + body)])
        case .lengthTooShort: .steps([.send(head(length: half.count) + body)])
        case .wrongAnnouncement:
            .bytes(body).header("Content-MD5", "kAFQmDzST7DWlj99KOF/cg==")
        case .damagedBody: .bytes(damaged(body))
        case .cutGzip: .bytes(Self.halfCompressed(body)).header("Content-Encoding", "gzip")
        case .redirectHere: .redirect(to: "/landing\(url.path)")
        case .redirectElsewhere:
            .redirect(307, to: neighbour.withLock { $0 } + "/landing\(url.path)")
        default: .text("not now", status: 503)
        }
    }

    private func pausing(
        _ seconds: Int,
        _ status: Int,
        _ request: RecordedRequest,
        _ connection: Int
    ) -> [Step] {
        let end = ContinuousClock.now + .seconds(seconds)
        return pausing(until: end, "\(seconds)", status, request, connection)
    }

    private func pausing(
        until end: ContinuousClock.Instant,
        _ value: String,
        _ status: Int,
        _ request: RecordedRequest,
        _ connection: Int
    ) -> [Step] {
        let reply = Reply.text("later", status: status).header("Retry-After", value)
        return [note { $0.pause(until: end) }] + answered(reply, request, connection)
    }

    private func head(length: Int) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n".utf8)
    }

    private func damaged(_ body: [UInt8]) -> [UInt8] { body.dropLast() + [0x21] }

    private static func halfCompressed(_ body: [UInt8]) -> [UInt8] {
        var compressed: [UInt8] = []
        if var encoder = GzipEncoder() {
            encoder.compress(body, isEnd: true, into: &compressed)
        }
        return Array(compressed[..<(compressed.count / 2)])
    }

    private static func text(_ secondsSince1970: Double) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: secondsSince1970))
    }
}
