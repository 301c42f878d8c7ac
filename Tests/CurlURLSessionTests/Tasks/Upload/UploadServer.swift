internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Replies of a server with resumable uploads, and uploads that it interrupts.
enum UploadServer {
    static let content = Data([UInt8](count: 1_000_000) { UInt8(truncatingIfNeeded: $0 &* 7) })
    static let size = Int64(content.count)
    static let half = size / 2

    /// The 104 response that offers resumption, with these fields.
    static func offer(_ fields: [(String, String)] = offered) -> Step {
        let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        return .send("HTTP/1.1 104 Upload Resumption Supported\r\n\(lines)\r\n")
    }

    static let offered = [
        ("Upload-Draft-Interop-Version", "6"), ("Location", "/uploads/1"),
    ]

    /// Offers resumption, and closes the connection once the gate is open.
    ///
    /// - Parameter count: The number of body bytes to read before.
    static func interruption(
        offering fields: [(String, String)] = offered,
        after count: Int = 100_000,
        _ gate: Gate
    ) -> [Step] {
        [.readHead, offer(fields), .readBodyBytes(count), .waitFor(gate), .close]
    }

    /// The reply to a HEAD request with the number of received bytes.
    static func has(_ offset: Int64, isComplete: Bool = false) -> Reply {
        Reply(204)
            .header("Upload-Offset", "\(offset)")
            .header("Upload-Complete", isComplete ? "?1" : "?0")
            .header("Upload-Draft-Interop-Version", "6")
            .header("Cache-Control", "no-store")
    }

    /// Interrupts the first upload, and answers later requests with `answer`.
    static func start(
        offering fields: [(String, String)] = offered,
        _ gate: Gate,
        then answer: @escaping @Sendable (RecordedRequest) -> Reply = { request in
            request.method == "HEAD" ? has(half) : .text("done")
        }
    ) throws -> LoopbackServer {
        try .scripted(first: interruption(offering: fields, gate), then: answer)
    }

    static func post(_ url: URL, _ fields: [String: String] = [:]) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// A delegate that opens the gate once the task has received the server's offer.
    static func delegate(
        opening gate: Gate,
        _ configure: (inout SessionDelegate.Answers) -> Void = { _ in }
    ) -> SessionDelegate {
        SessionDelegate { answers in
            configure(&answers)
            answers.informational = { _ in gate.open() }
        }
    }

    /// The error of an upload that the server interrupts.
    static func failure(
        of server: LoopbackServer,
        _ session: URLSession,
        opening gate: Gate,
        fields: [String: String] = [:],
        body: Data = content
    ) async throws -> URLError {
        let request = post(try server.at("/files"), fields)
        let delegate = delegate(opening: gate)
        return try await urlError {
            _ = try await session.upload(for: request, from: body, delegate: delegate)
        }
    }

    /// The resume data of an upload that the server interrupts.
    static func resumeData(
        _ server: LoopbackServer,
        _ session: URLSession,
        opening gate: Gate,
        fields: [String: String] = [:],
        body: Data = content
    ) async throws -> Data {
        let error = try await failure(
            of: server,
            session,
            opening: gate,
            fields: fields,
            body: body
        )
        return try #require(error.uploadTaskResumeData, "\(error)")
    }
}
