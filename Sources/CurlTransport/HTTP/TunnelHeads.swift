internal import Posix

/// Parses the heads of a proxy's responses to `CONNECT`, for one attempt.
///
/// Source: RFC 9110, section 9.3.6.
final class TunnelHeads {
    private var parser: ResponseHeadParser

    init(limits: ResponseHeadLimits) {
        // If credentials need several rounds, libcurl sends several CONNECT requests.
        parser = ResponseHeadParser(limits: limits, allowsRestart: true)
    }

    /// Parses one line with its line end. Returns the head that it completes.
    func receive(_ line: Span<UInt8>) throws(TransportError) -> ResponseHead? {
        guard case .head(let head) = try parser.receive(line) else { return nil }
        return head
    }
}

@available(*, unavailable)
extension TunnelHeads: Sendable {}
