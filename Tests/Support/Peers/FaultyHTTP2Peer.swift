/// An HTTP/2 server that goes wrong on request. The path of the request chooses how:
///
/// - `/body?size=N`: a body of N bytes; with `length=no` without a content-length.
/// - `/reset?code=C&when=W&length=L`: RST_STREAM with the code C (a number or a name such as
///   `CANCEL`), when W is `before-head`, `after-head` or `mid-body` (after 10 000 bytes), with
///   (`length=yes`, the default; 20 000 is promised) or without (`length=no`) a content-length.
///   With `coding=gzip` the body is compressed (stored, so that half of it is there mid-body).
/// - `/goaway?code=C&when=W&length=L`: GOAWAY with the code C, then the connection is closed, or
///   with `keep=yes` left alone. `last=N` is the last stream that the server claims to know.
/// - `/close?when=W&length=L`: the connection is closed without a word of HTTP/2; with `abrupt=yes`
///   without TLS's closure alert either.
/// - `/short?size=N&length=M`: a complete stream of N bytes that promised M.
/// - `/trailers`: a body, then trailers `x-checksum: 123` and `x-end: yes`.
/// - `/calm`: GOAWAY with ENHANCE_YOUR_CALM.
/// - `/echo`: the request's body.
/// - `/upload?key=K`: offers to go on with an upload and resets its stream after 10 000 bytes; `HEAD`
///   tells of them, and `PATCH` is answered with the whole.
/// - `/stall?when=W`: nothing more after that point.
/// - `/refused-once`: REFUSED_STREAM for the first request, then a body.
///
/// Over TLS it knows enough HTTP/1.1 to answer every request with "HTTP/1.1".
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
