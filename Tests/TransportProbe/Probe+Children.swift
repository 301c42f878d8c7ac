internal import CurlTransport
internal import Glibc
internal import HTTPTypes

/// Checks what child processes inherit from transports.
extension Probe {
    /// Starts a client with `loops` loops and certificates in memory. Then starts a child that
    /// lists its descriptors on the standard output.
    func children(_ loops: Int) async throws {
        var configuration = TransportConfiguration()
        configuration.eventLoopCount = loops
        var options = options
        options.tls.trustRoots = .pem(Array("-----BEGIN CERTIFICATE-----".utf8))
        let client = try HTTPClient(configuration: configuration, options: options)
        try await fetch(client)
        // Origins are spread over the loops; no server needs to listen there.
        for port in 1...20 {
            _ = try? await client.send(HTTPRequest(url: "http://127.0.0.1:\(port)"))
        }
        var child: pid_t = 0
        let words = ["ls", "-l", "/proc/self/fd"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        print("child=\(posix_spawnp(&child, "ls", nil, nil, &arguments, environ))")
        var status: Int32 = 0
        waitpid(child, &status, 0)
        for argument in arguments { free(argument) }
        print("status=\(status)")
        await client.shutdown()
    }
}
