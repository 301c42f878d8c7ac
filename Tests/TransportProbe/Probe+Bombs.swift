internal import CurlTransport
internal import HTTPTypes
internal import TestSupport

/// Receives endless bodies, and measures their memory.
extension Probe {
    private static let requestsPerChunk = 3

    /// Reads `chunks` chunks of a body, or collects it if nil. Prints the peak memory in bytes.
    ///
    /// If slow, it sends other requests before each chunk: so the loop has several turns to take
    /// what the server has sent meanwhile, and the server has time to send more.
    func bomb(_ chunks: Int?, isSlow: Bool) async throws {
        let client = try HTTPClient(options: options)
        do {
            let response = try await client.send(HTTPRequest(url: url))
            if let chunks {
                var iterator = response.body.makeAsyncIterator()
                for _ in 0..<chunks {
                    guard try await iterator.next() != nil else { break }
                    guard isSlow else { continue }
                    for _ in 0..<Self.requestsPerChunk { try await fetch(client, "/beside") }
                }
            } else {
                _ = try await response.body.collect(upTo: 10 << 20)
            }
        } catch {
            print("error=\(error)")
        }
        await client.shutdown()
        print("peak=\(ProcessFacts.peakResidentBytes)")
    }

    /// Opens `count` bodies at once and reads two chunks of each. While it reads from one, the
    /// others are paused.
    func manyBombs(_ count: Int) async throws {
        let client = try HTTPClient(options: options)
        var readers: [ResponseBody.AsyncIterator] = []
        for _ in 0..<count {
            let response = try await client.send(HTTPRequest(url: url))
            readers.append(response.body.makeAsyncIterator())
        }
        for _ in 0..<2 {
            for index in readers.indices { _ = try await readers[index].next() }
        }
        print("peak=\(ProcessFacts.peakResidentBytes)")
        await client.shutdown()
    }

    /// Downloads the body to a file until it has expanded to `limit` bytes. Prints the error, and how
    /// much the loop's thread and the files' thread have written.
    func downloadBomb(to path: String, atMost limit: Int64) async throws {
        let client = try HTTPClient(options: options)
        var limited = options
        limited.decompressionLimit = DecompressionLimit(bytes: limit, ratio: 10)
        do {
            _ = try await client.download(HTTPRequest(url: url), to: path, options: limited)
        } catch {
            print("code=\(error.code)")
        }
        print("peak=\(ProcessFacts.peakResidentBytes)")
        let threads = ["curl-loop", "curl-files"].flatMap { ThreadFacts.threads(namePrefix: $0) }
        print("written=\(threads.reduce(0) { $0 + ThreadFacts(thread: $1).bytesWritten })")
        await client.shutdown()
    }

    /// Takes 200 MB as fast as they arrive.
    func eagerBomb() async throws {
        let transport = try Transport()
        let eater = Eater(200 << 20)
        let request = TransferRequest(try HTTPRequest(url: url), options: try PreparedOptions())
        transport.start(request, delegate: eater)
        try await eater.isOver.wait { $0 ? () : nil }
        await transport.shutdown()
        print("peak=\(ProcessFacts.peakResidentBytes)")
    }
}

/// Takes `limit` bytes and discards them.
private final class Eater: TransferDelegate {
    let isOver = Watched(false)
    private let eaten = Watched(0)
    private let limit: Int

    init(_ limit: Int) {
        self.limit = limit
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        let count = bytes.count
        return eaten.update {
            $0 += count; return $0
        } < limit ? .proceed : .cancel
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        isOver.update { $0 = true }
    }
}
