internal import AsyncHTTPClient
internal import LoadKit
internal import NIOCore
internal import NIOSSL

extension HTTPClient.Configuration {
    static func forLoad(_ options: LoadOptions, opened: ConnectionCount) throws -> Self {
        var configuration = Self(
            timeout: Timeout(connect: .seconds(60)),
            connectionPool: ConnectionPool(
                idleTimeout: .seconds(60),
                concurrentHTTP1ConnectionsPerHostSoftLimit: options.concurrency
            )
        )
        configuration.httpVersion = options.usesHTTP2 ? .automatic : .http1Only
        if let file = options.certificateFile {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(file)
            configuration.tlsConfiguration = tls
        }
        configuration.http1_1ConnectionDebugInitializer = opened.count
        configuration.http2ConnectionDebugInitializer = opened.count
        return configuration
    }
}
