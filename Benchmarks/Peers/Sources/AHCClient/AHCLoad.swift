internal import AsyncHTTPClient
internal import LoadKit
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// async-http-client with its defaults, except for the scenario's own options.
struct AHCLoad: Sendable {
    private let options: LoadOptions
    private let group: MultiThreadedEventLoopGroup
    private let client: HTTPClient
    private let opened: ConnectionCount
    private let upload: ByteBuffer

    init(_ options: LoadOptions) throws {
        self.options = options
        opened = ConnectionCount()
        group = MultiThreadedEventLoopGroup(numberOfThreads: options.loops)
        client = HTTPClient(
            eventLoopGroupProvider: .shared(group),
            configuration: try .forLoad(options, opened: opened)
        )
        let fromMemory = options.input == nil ? options.uploadBytes : 0
        upload = ByteBuffer(repeating: UInt8(ascii: "x"), count: fromMemory)
    }

    func run() async -> Tally {
        var tally = await AsyncLoad(options) { try await perform(number: $0, place: $1) }.run()
        tally.connectionsOpened = opened.value
        return tally
    }

    /// What went wrong; nil: nothing.
    func shutdown() async -> String? {
        do {
            try await client.shutdown()
            try await group.shutdownGracefully()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func perform(number: Int, place: Int) async throws -> Outcome {
        let response = try await client.execute(
            request(number: number),
            deadline: .now() + .seconds(600)
        )
        var received = 0
        if options.mode == .download {
            let file = try options.output(ofPlace: place).map(OutputFile.init)
            for try await part in response.body {
                received += part.readableBytes
                try part.withUnsafeReadableBytes { try file?.write($0) }
            }
        } else {
            received = try await response.body.collect(upTo: .max).readableBytes
        }
        return Outcome(
            status: Int(response.status.code),
            received: received,
            sent: options.uploadBytes
        )
    }

    private func request(number: Int) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: options.url(number: number))
        for (name, value) in RequestFields.fixed { request.headers.add(name: name, value: value) }
        request.headers.add(name: RequestFields.identifier, value: "\(number)")
        if !options.reusesConnections { request.headers.add(name: "connection", value: "close") }
        guard options.mode == .upload else { return request }
        request.method = .POST
        if let path = options.input {
            request.body = .stream(
                FileParts(path: path),
                length: .known(Int64(options.uploadBytes))
            )
        } else {
            request.body = .bytes(upload)
        }
        return request
    }
}
