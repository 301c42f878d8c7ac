import HTTPTypes
import Testing

@testable import CurlTransport

struct ResponseHeadParserRandomTests {
    /// A valid or invalid line that a server may send, or noise.
    private func line(using random: inout some RandomNumberGenerator) -> [UInt8] {
        let known = [
            "HTTP/1.1 200 OK\r\n", "HTTP/2 204 \r\n", "HTTP/1.1 100 \r\n", "HTTP/1.1 401 x\r\n",
            "\r\n", "\n", "", "A: b\r\n", "Location: /x\r\n", " folded\r\n", "\t\r\n", ":\r\n",
            "X:\r\n", "Set-Cookie:a\n", "é: x\r\n", "A", "HTTP/", "HTTP/1.1 101 x\r\n",
        ]
        if Bool.random(using: &random) {
            return Array((known.randomElement(using: &random) ?? "").utf8)
        }
        let count = Int.random(in: 0..<20, using: &random)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test func randomLinesNeverTrapOrRepeatHead() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            var parser = ResponseHeadParser(
                limits: ResponseHeadLimits(maximumFieldCount: 10, maximumBytes: 400)
            )
            var heads = 0
            var restarts = 0
            do throws(TransportError) {
                for _ in 0..<30 {
                    let events = try parser.take([line(using: &random)])
                    heads += events.heads.count
                    restarts += events.restarts
                    #expect(heads - restarts == (parser.hasFinalHead ? 1 : 0))
                    for head in events.heads + events.informationals { touch(head) }
                    _ = parser.trailerFields
                }
            } catch {
                #expect(error.code == .invalidResponse || error.code == .responseHeadTooLarge)
            }
            #expect(heads <= restarts + 1)
        }
    }

    /// Any bytes in field values are parsed without a trap or a loss.
    @Test func anyBytesAreAcceptedAsValue() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var parser = ResponseHeadParser()
            let value = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0x21...0xff, using: &random)
            }
            let lines = [
                Array("HTTP/1.1 200 OK\r\n".utf8), Array("X: ".utf8) + value + [13, 10], [13, 10],
            ]
            let head = try #require(try parser.take(lines).heads.first)
            #expect(head.firstValueBytes(of: try #require(HTTPField.Name("x"))) == value)
            #expect(head.headerFields.count == 1)
        }
    }

    private func touch(_ head: ResponseHead) {
        #expect((100...999).contains(head.status.code))
        #expect(head.headerFields.count <= 10)
        #expect(head.firstValue(of: .location).map { $0 == "/x" || $0.hasPrefix("/x ") } != false)
        #expect(!head.httpVersion.isEmpty)
        _ = head.httpResponse
    }
}
