import HTTPTypes
import TestSupport
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct ResponseTextTests {
    private static func response(_ type: String?, _ bytes: [UInt8]) throws -> HTTPClientResponse {
        var fields = HTTPFields()
        fields[.contentType] = type
        return HTTPClientResponse(
            head: ResponseHead(status: .ok, headerFields: fields),
            body: ResponseBody(bytes),
            request: try HTTPRequest(url: "http://example.com/text")
        )
    }

    @Test(
        "The charset of Content-Type decides how text is decoded",
        arguments: [
            (nil, [0xC3, 0xBC], "ü"),
            ("text/plain", [0xEF, 0xBB, 0xBF, 0x61, 0xFF], "a\u{FFFD}"),
            ("text/plain; charset=UTF-8", [0xE2, 0x82, 0xAC], "€"),
            ("text/plain; charset=\"us-ascii\"", [0x61, 0xFC], "a\u{FFFD}"),
            ("text/html;charset=ISO-8859-1", [0x61, 0xFC, 0x80], "aü\u{80}"),
            ("text/plain; charset=utf-16", [0x00, 0x61, 0x20, 0xAC], "a€"),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x61, 0x00, 0xAC, 0x20], "a€"),
            ("text/plain; charset=utf-16", [0xFE, 0xFF, 0x00, 0x61, 0x00], "a\u{FFFD}"),
            ("text/plain; charset=utf-16le", [0x61, 0x00, 0x00, 0xD8], "a\u{FFFD}"),
            ("text/plain; charset=utf-16be", [0xD8, 0x3D, 0xDC, 0x1F], "🐟"),
            ("text/plain; charset=utf-16", [], ""),
        ] as [(String?, [UInt8], String)]
    )
    func charsetDecides(_ type: String?, _ bytes: [UInt8], _ text: String) async throws {
        let response = try Self.response(type, bytes)
        #expect(try await response.collectString(maximumBytes: 100) == text)
    }

    @Test("An error names a charset that can't be read, and leaves the bytes")
    func unknownCharsetIsNamed() async throws {
        let response = try Self.response("text/plain; charset=koi8-r", [0xC1])
        let error = await #expect(throws: TransportError.self) {
            try await response.collectString(maximumBytes: 100)
        }
        #expect(error?.code == .decodingFailed && error?.message.contains("\"koi8-r\"") == true)
        #expect(error?.url == "http://example.com/text")
        #expect(try await response.body.collect(upTo: 1) == [0xC1])
    }

    @Test("Text beyond the maximum number of bytes is an error")
    func limitIsChecked() async throws {
        let server = try LoopbackServer { _ in .text("12345") }
        let client = try HTTPClient()
        let request = try HTTPRequest(url: server.url)
        #expect(try await client.send(request).collectString(maximumBytes: 5) == "12345")
        let error = await #expect(throws: TransportError.self) {
            try await client.send(request).collectString(maximumBytes: 4)
        }
        #expect(error?.code == .responseTooLarge)
        await client.shutdown()
    }
}
