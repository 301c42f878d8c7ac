internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// One request to a hostile server, and concurrent ones to a healthy server.
enum HostileRun {
    typealias Outcome = Result<(status: Int, body: [UInt8]), TransportError>

    /// Long enough for any machine; a case that needs it has failed.
    private static let patience = Duration.seconds(Rounds.count(60, few: 600))

    static func check(_ hostile: HostileCase) async throws {
        let server = try hostile.makeServer()
        let gate = Gate()
        let healthy = try LoopbackServer { request in
            request.path == "/beside" ? .text("healthy").after(gate) : .text("healthy")
        }
        let client = try HTTPClient()
        var unhurried = TransferOptions()
        unhurried.timeouts.idle = patience
        async let beside = outcome(client, healthy.url + "/beside", nil, unhurried)
        try await healthy.requests(count: 1)

        var options = hostile.options
        options.timeouts.total = options.timeouts.total ?? patience
        hostile.configure(&options, server.port)
        let url = hostile.url(server)
        let ended = await outcome(client, url, hostile.body, options, hostile.limit)
        let taken = server.connections.reduce(0) { $0 + $1.bytesSent }
        let after = await outcome(client, healthy.url + "/after", nil, unhurried)
        gate.open()

        expect(ended, hostile)
        expectHealthy(after)
        expectHealthy(await beside)
        #expect(taken <= hostile.maximumBytesSent, "a bounded part of the answer is read")
        await client.shutdown()
        HostileTable.add(hostile.name, ended)
    }

    private static func expect(_ ended: Outcome, _ hostile: HostileCase) {
        switch (ended, hostile.ending) {
        case (.failure(let error), .failure(let codes)):
            #expect(codes.contains(error.code), "\(error)")
            #expect(!error.message.isEmpty)
            #expect(error.url != nil, "the error says what it is about")
        case (.success(let response), .success(let status, let body)):
            #expect(response.status == status)
            #expect(String(decoding: response.body, as: UTF8.self) == body)
        case (.failure(let error), .success):
            Issue.record("it failed: \(error)")
        case (.success(let response), .failure(let codes)):
            let text = String(decoding: response.body.prefix(100), as: UTF8.self)
            Issue.record("\(response.status) \"\(text)\" instead of \(codes)")
        }
    }

    private static func expectHealthy(_ outcome: Outcome) {
        switch outcome {
        case .success(let response): #expect(response.body == Array("healthy".utf8))
        case .failure(let error): Issue.record("a healthy transfer failed: \(error)")
        }
    }

    static func outcome(
        _ client: HTTPClient,
        _ url: String,
        _ body: RequestBody? = nil,
        _ options: TransferOptions = TransferOptions(),
        _ limit: Int = 1 << 20
    ) async -> Outcome {
        do throws(TransportError) {
            let request = try HTTPRequest(method: body == nil ? .get : .post, url: url)
            let response = try await client.send(request, body: body ?? .none, options: options)
            let bytes = try await response.body.collect(upTo: limit)
            return .success((response.status.code, bytes))
        } catch {
            return .failure(error)
        }
    }
}

/// Records the outcome of each case in a file.
///
/// The environment variable `CURLNETWORKING_HOSTILE_TABLE` names the file; without it nothing is
/// written.
enum HostileTable {
    static func add(_ name: String, _ outcome: HostileRun.Outcome) {
        guard let path = ProcessInfo.processInfo.environment["CURLNETWORKING_HOSTILE_TABLE"],
            let file = fopen(path, "a")
        else { return }
        defer { fclose(file) }
        let end =
            switch outcome {
            case .success(let response):
                "status \(response.status), \(response.body.count) bytes | |"
            case .failure(let error):
                "`\(error.code)` (\(error.phase)) | \(error.curlCode.map(String.init) ?? "–") | "
                    + error.message.replacingOccurrences(of: "|", with: "\\|")
            }
        fputs("| \(name) | \(end) |\n", file)
    }
}
