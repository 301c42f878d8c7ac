internal import Curl

/// Finds the head of the server's answer in the bytes that come, and what follows it.
struct WebSocketHeadReader: Sendable {
    private var parser: ResponseHeadParser
    private var line: [UInt8] = []
    private let maximumBytes: Int

    init(limits: ResponseHeadLimits) {
        parser = ResponseHeadParser(limits: limits, allowsRestart: false)
        maximumBytes = max(0, limits.maximumBytes)
    }

    /// Takes bytes up to the end of the head. Nil while that hasn't come; then the head, and how many
    /// of these bytes belong to it. Informational heads before it are passed over.
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
