internal import Curl

/// Reads the heads with which a proxy answers requests for a tunnel (`CONNECT`, RFC 9110, section
/// 9.3.6), of one hop.
final class TunnelHeads {
    private var parser: ResponseHeadParser

    init(limits: ResponseHeadLimits) {
        // Where credentials take several rounds, the proxy is asked several times.
        parser = ResponseHeadParser(limits: limits, allowsRestart: true)
    }

    /// Takes one line, with its line end; the answer is the head that it completes.
    func receive(_ line: Span<UInt8>) throws(TransportError) -> ResponseHead? {
        guard case .head(let head) = try parser.receive(line) else { return nil }
        return head
    }
}

@available(*, unavailable)
extension TunnelHeads: Sendable {}
