internal import CurlTransport
internal import CurlTransportTesting
internal import HTTPTypes

/// What the page "Record and replay" shows.
enum RecordingAndReplaying {
    static func record(_ client: HTTPClient, _ url: String, to path: String) async throws {
        // snippet: RecordingAndReplaying/record
        let recording = try RecordingClient(client, to: path)
        let response = try await recording.send(HTTPRequest(url: url))
        _ = try await response.body.collect(upTo: 1 << 20)
        try recording.finish()
        // end
    }

    static func replay(_ url: String, from path: String) async throws -> HTTPClientResponse {
        // snippet: RecordingAndReplaying/replay
        let replay = try ReplayingClient(from: path)
        let response = try await replay.send(HTTPRequest(url: url))
        // end
        return response
    }
}
