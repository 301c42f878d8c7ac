import Foundation

extension SurfaceScript {
    static func configuration(_ stage: Stage) {
        describe(.default, stage)
        let ephemeral = URLSessionConfiguration.ephemeral
        describe(ephemeral, stage)
        stage.log("cookies of its own: \(ephemeral.httpCookieStorage !== HTTPCookieStorage.shared)")
        fill(ephemeral)
        describe(ephemeral, stage)
        let copy = ephemeral.copy() as? URLSessionConfiguration
        ephemeral.httpMaximumConnectionsPerHost = 99
        stage.log("copied: \(copy?.httpMaximumConnectionsPerHost ?? 0)")
        let zoned = ephemeral.copy(with: nil) as? URLSessionConfiguration
        stage.log("copied: \(zoned?.httpMaximumConnectionsPerHost ?? 0)")
        let session = URLSession(configuration: ephemeral)
        ephemeral.httpMaximumConnectionsPerHost = 1
        stage.log("kept: \(session.configuration.httpMaximumConnectionsPerHost)")
        session.invalidateAndCancel()
    }

    private static func fill(_ configuration: URLSessionConfiguration) {
        configuration.identifier = "own"
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = 11
        configuration.timeoutIntervalForResource = 22
        configuration.networkServiceType = .video
        configuration.allowsCellularAccess = false
        configuration.isDiscretionary = true
        configuration.connectionProxyDictionary = [:]
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpAdditionalHeaders = ["X-One": "1"]
        configuration.httpMaximumConnectionsPerHost = 3
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = URLCredentialStorage()
        configuration.urlCache = URLCache(memoryCapacity: 1, diskCapacity: 0, diskPath: nil)
        configuration.protocolClasses = [CannedProtocol.self]
    }

    private static func describe(_ configuration: URLSessionConfiguration, _ stage: Stage) {
        stage.log("identifier \(configuration.identifier ?? "none")")
        stage.log("policy \(configuration.requestCachePolicy.rawValue)")
        stage.log("request \(configuration.timeoutIntervalForRequest) s")
        stage.log("resource \(configuration.timeoutIntervalForResource) s")
        stage.log("service \(configuration.networkServiceType.rawValue)")
        stage.log("cellular \(configuration.allowsCellularAccess)")
        stage.log("discretionary \(configuration.isDiscretionary)")
        stage.log("proxies \(configuration.connectionProxyDictionary?.count ?? -1)")
        stage.log("cookies \(configuration.httpShouldSetCookies)")
        stage.log("accepted \(configuration.httpCookieAcceptPolicy.rawValue)")
        stage.log("headers \(configuration.httpAdditionalHeaders?.count ?? -1)")
        stage.log("connections \(configuration.httpMaximumConnectionsPerHost)")
        stage.log("cookie storage \(configuration.httpCookieStorage != nil)")
        stage.log("credential storage \(configuration.urlCredentialStorage != nil)")
        stage.log("cache \(configuration.urlCache != nil)")
        let hasCanned = configuration.protocolClasses?.contains { $0 == CannedProtocol.self }
        stage.log("own protocol \(hasCanned ?? false)")
        stage.log("container \(configuration.sharedContainerIdentifier ?? "none")")
    }
}
