/// An HTTP/2 server that misbehaves on request.
///
/// The request's path selects the fault:
///
/// - `/body?size=N`: a body of N bytes; with `length=no` without a content-length.
/// - `/reset?code=C&when=W&length=L`: RST_STREAM with the code C (a number or a name such as
///   `CANCEL`), when W is `before-head`, `after-head` or `mid-body` (after 10 000 bytes), with
///   (`length=yes`, the default, which announces 20 000) or without (`length=no`) a content-length.
///   With `coding=gzip` the body is compressed (stored, so that half of it is readable mid-body).
/// - `/goaway?code=C&when=W&length=L`: GOAWAY with the code C, then the server closes the
///   connection, or with `keep=yes` leaves it open. `last=N` is the last stream id in the frame.
/// - `/close?when=W&length=L`: closes the connection without an HTTP/2 frame; with `abrupt=yes`
///   also without TLS's closure alert.
/// - `/short?size=N&length=M`: a complete stream of N bytes whose content-length is M.
/// - `/fields?count=N&size=M`: a head with N fields `set-cookie` of M bytes each.
/// - `/trailers`: a body, then trailers `x-checksum: 123` and `x-end: yes`.
/// - `/calm`: GOAWAY with ENHANCE_YOUR_CALM.
/// - `/echo`: the request's body.
/// - `/upload?key=K`: offers a resumable upload and resets its stream after 10 000 bytes; `HEAD`
///   returns that offset, and `PATCH` is answered with the whole body.
/// - `/stall?when=W`: sends nothing after that point.
/// - `/early`: a complete response without a length, with `trailers=yes` with trailers, then
///   RST_STREAM with NO_ERROR, although the request's body hasn't been read.
/// - `/refused-once`: REFUSED_STREAM for the first request, then a body.
/// - `/count?of=K`: the number of requests with `key=K` in their queries so far.
///
/// Over TLS it answers every HTTP/1.1 request with "HTTP/1.1".
package final class FaultyHTTP2Peer: Peer {
    package static let shared = Shared { try await FaultyHTTP2Peer.start() }
    private static let python = Executable.python(with: "h2")
    package static var isAvailable: Bool { python != nil && Certificates.isAvailable }

    package let certificates: Certificates
    package let usesTLS: Bool
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates, usesTLS: Bool) {
        (self.process, self.certificates, self.usesTLS) = (process, certificates, usesTLS)
    }

    /// Without TLS it speaks h2c by prior knowledge.
    package static func start(tls: Bool = true) async throws -> FaultyHTTP2Peer {
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.faultyHTTP2.path else {
                throw SupportError("Python's h2 is not installed")
            }
            let identity = certificates.server
            return [python, script] + (tls ? [identity.certificate, identity.key] : [])
        }
        return FaultyHTTP2Peer(process, certificates, usesTLS: tls)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }
    package var port: Int { process.ports[0] }

    package func url(_ path: String) -> String {
        "\(usesTLS ? "https" : "http")://localhost:\(port)\(path)"
    }
}
