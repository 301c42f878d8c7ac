internal import CurlTransport
internal import LoadKit

// The settings of the client under load, as near to the floors' as the library's own go.

extension TransportConfiguration {
    static func forLoad(_ options: LoadOptions) -> Self {
        var configuration = Self()
        configuration.eventLoopCount = options.loops
        configuration.maximumIdleConnections = options.concurrency + 16
        return configuration
    }
}

extension TransferOptions {
    static func forLoad(_ options: LoadOptions) -> Self {
        var result = Self()
        result.httpVersion = options.usesHTTP2 ? .http2 : .http1
        result.reusesConnection = options.reusesConnections
        if options.mode == .download { result.receiveBufferSize = 512 * 1024 }
        result.timeouts.total = .seconds(600)
        if let file = options.certificateFile { result.tls.trustRoots = .file(file) }
        return result
    }
}

extension RequestBody {
    static func forLoad(_ options: LoadOptions) -> RequestBody {
        guard options.mode == .upload else { return .none }
        if let path = options.input { return .file(path: path) }
        return .bytes([UInt8](repeating: UInt8(ascii: "x"), count: options.uploadBytes))
    }
}
