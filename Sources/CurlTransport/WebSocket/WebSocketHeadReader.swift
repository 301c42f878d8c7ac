internal import HTTPSemantics
internal import Posix

/// Finds the end of the response's head in the received bytes.
struct WebSocketHeadReader: Sendable {
    private var parser: ResponseHeadParser
    private var line: [UInt8] = []
    private let maximumBytes: Int

    init(limits: ResponseHeadLimits) {
        parser = ResponseHeadParser(limits: limits, allowsRestart: false)
        maximumBytes = max(0, limits.maximumBytes)
    }

    /// Reads bytes up to the end of the head. Returns nil until it is complete, and then the head
    /// and how many of these bytes belong to it. Skips informational heads before it.
    mutating func receive(
        _ bytes: Span<UInt8>
    ) throws(TransportError) -> (head: ResponseHead, length: Int)? {
        for index in bytes.indices {
            line.append(bytes[index])
            guard bytes[index] == ASCII.lineFeed else {
                guard line.count <= maximumBytes else {
                    throw .responseHeadTooLarge(
                        "the response has more than \(maximumBytes) bytes of head"
                    )
                }
                continue
            }
            var complete: [UInt8] = []
            swap(&complete, &line)
            let event = try parser.receive(complete.span)
            if case .head(let head) = event { return (head, index + 1) }
        }
        return nil
    }
}
