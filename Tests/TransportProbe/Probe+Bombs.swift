internal import CurlTransport
internal import HTTPTypes
internal import TestSupport

/// Bodies without end, and what they cost.
extension Probe {
    private static let requestsPerChunk = 3

    /// Reads so many chunks of a body, or collects it, and tells the most memory that took.
    ///
    /// A slow reader has other requests answered before each chunk: the loop then had several turns
    /// to take what the server sent meanwhile, and the server to send more.
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

    /// Takes as much as comes, 200 MB of it.
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

/// Takes so many bytes and forgets them.
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
