public import CurlURLSession
internal import Foundation

/// The values of a session's configuration that can be encoded.
///
/// It has all plain values, but no storages, protocols, proxies and certificates, which belong to a
/// process. Of `tlsConfiguration` it has the minimum and the maximum TLS version; pins and ciphers
/// have to be set again.
///
/// AFNetworking archives a manager with its configuration only. Encode these values instead, and
/// create a manager from them.
///
/// ```swift
/// let configuration = manager.session.configuration
/// let data = try JSONEncoder().encode(SessionConfigurationValues(configuration))
/// let values = try JSONDecoder().decode(SessionConfigurationValues.self, from: data)
/// let other = URLSessionManager(sessionConfiguration: values.configuration)
/// ```
///
/// Header fields are encoded in plain text: also an `Authorization` in `httpAdditionalHeaders`.
public struct SessionConfigurationValues: Codable, Sendable, Hashable {
    private var identifier: String?
    private var timeouts: Timeouts
    private var network: Network
    private var http: HTTP
    private var transfers: Transfers
    private var tls: TLSVersions
    private var decompression: Decompression
    private var queue: Queue
    private var connections: Connections

    /// Takes the values of a configuration.
    public init(_ configuration: URLSessionConfiguration) {
        identifier = configuration.identifier
        timeouts = Timeouts(configuration)
        network = Network(configuration)
        http = HTTP(configuration)
        transfers = Transfers(configuration)
        tls = TLSVersions(configuration)
        decompression = Decompression(configuration)
        queue = Queue(configuration)
        connections = Connections(configuration)
    }

    /// Creates a configuration with these values.
    ///
    /// Everything else is as in `URLSessionConfiguration.default`.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        apply(to: configuration)
        return configuration
    }

    /// Sets these values in an existing configuration, an `ephemeral` one for instance.
    public func apply(to configuration: URLSessionConfiguration) {
        configuration.identifier = identifier
        timeouts.apply(to: configuration)
        network.apply(to: configuration)
        http.apply(to: configuration)
        transfers.apply(to: configuration)
        tls.apply(to: configuration)
        decompression.apply(to: configuration)
        queue.apply(to: configuration)
        connections.apply(to: configuration)
    }
}

// All groups are encoded into one container, so that the coded form has no groups.

extension SessionConfigurationValues {
    private enum CodingKeys: String, CodingKey {
        case identifier
    }

    /// Decodes values, also those that an earlier version has encoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try container.decodeIfPresent(String.self, forKey: .identifier)
        timeouts = try Timeouts(from: decoder)
        network = try Network(from: decoder)
        http = try HTTP(from: decoder)
        transfers = try Transfers(from: decoder)
        tls = try TLSVersions(from: decoder)
        decompression = try Decompression(from: decoder)
        queue = try Queue(from: decoder)
        connections = try Connections(from: decoder)
    }

    /// Encodes the values.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(identifier, forKey: .identifier)
        try timeouts.encode(to: encoder)
        try network.encode(to: encoder)
        try http.encode(to: encoder)
        try transfers.encode(to: encoder)
        try tls.encode(to: encoder)
        try decompression.encode(to: encoder)
        try queue.encode(to: encoder)
        try connections.encode(to: encoder)
    }
}

extension SessionConfigurationValues {
    private struct Timeouts: Codable, Hashable {
        var timeoutIntervalForRequest: TimeInterval
        var timeoutIntervalForResource: TimeInterval
        var timeoutIntervalForConnection: TimeInterval?

        init(_ configuration: URLSessionConfiguration) {
            timeoutIntervalForRequest = configuration.timeoutIntervalForRequest
            timeoutIntervalForResource = configuration.timeoutIntervalForResource
            timeoutIntervalForConnection = configuration.timeoutIntervalForConnection
        }

        func apply(to configuration: URLSessionConfiguration) {
            configuration.timeoutIntervalForRequest = timeoutIntervalForRequest
            configuration.timeoutIntervalForResource = timeoutIntervalForResource
            configuration.timeoutIntervalForConnection = timeoutIntervalForConnection
        }
    }

    /// The networks and connections that requests may use.
    private struct Network: Codable, Hashable {
        var networkServiceType: UInt
        var allowsCellularAccess: Bool
        var allowsExpensiveNetworkAccess: Bool
        var allowsConstrainedNetworkAccess: Bool
        var waitsForConnectivity: Bool
        var isDiscretionary: Bool
        var httpMaximumConnectionsPerHost: Int
        var usesEnvironmentProxies: Bool

        init(_ configuration: URLSessionConfiguration) {
            networkServiceType = configuration.networkServiceType.rawValue
            allowsCellularAccess = configuration.allowsCellularAccess
            allowsExpensiveNetworkAccess = configuration.allowsExpensiveNetworkAccess
            allowsConstrainedNetworkAccess = configuration.allowsConstrainedNetworkAccess
            waitsForConnectivity = configuration.waitsForConnectivity
            isDiscretionary = configuration.isDiscretionary
            httpMaximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
            usesEnvironmentProxies = configuration.usesEnvironmentProxies
        }

        func apply(to configuration: URLSessionConfiguration) {
            configuration.networkServiceType =
                URLRequest.NetworkServiceType(rawValue: networkServiceType) ?? .default
            configuration.allowsCellularAccess = allowsCellularAccess
            configuration.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
            configuration.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
            configuration.waitsForConnectivity = waitsForConnectivity
            configuration.isDiscretionary = isDiscretionary
            configuration.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
            configuration.usesEnvironmentProxies = usesEnvironmentProxies
        }
    }

    /// Header fields, cookies, caching and the HTTP version.
    private struct HTTP: Codable, Hashable {
        var requestCachePolicy: UInt
        var httpShouldUsePipelining: Bool
        var httpShouldSetCookies: Bool
        var httpCookieAcceptPolicy: UInt
        var httpAdditionalHeaders: [String: String]?
        // Encoded values of earlier versions lack these.
        var httpVersion: String?
        var addsFormContentType: Bool?

        init(_ configuration: URLSessionConfiguration) {
            requestCachePolicy = configuration.requestCachePolicy.rawValue
            httpShouldUsePipelining = configuration.pipelinesRequests
            httpShouldSetCookies = configuration.httpShouldSetCookies
            httpCookieAcceptPolicy = configuration.httpCookieAcceptPolicy.rawValue
            httpAdditionalHeaders = configuration.httpAdditionalHeaders.map { headers in
                Dictionary(
                    headers.map { ("\($0.key)", "\($0.value)") },
                    uniquingKeysWith: { first, _ in first }
                )
            }
            httpVersion = configuration.httpVersionName
            addsFormContentType = configuration.addsFormContentType
        }

        func apply(to configuration: URLSessionConfiguration) {
            configuration.requestCachePolicy =
                URLRequest.CachePolicy(rawValue: requestCachePolicy) ?? .useProtocolCachePolicy
            configuration.pipelinesRequests = httpShouldUsePipelining
            configuration.httpShouldSetCookies = httpShouldSetCookies
            configuration.httpCookieAcceptPolicy =
                HTTPCookie.AcceptPolicy(rawValue: httpCookieAcceptPolicy)
                ?? .onlyFromMainDocumentDomain
            configuration.httpAdditionalHeaders = httpAdditionalHeaders
            if let httpVersion { configuration.httpVersionName = httpVersion }
            if let addsFormContentType { configuration.addsFormContentType = addsFormContentType }
        }
    }

    private struct Transfers: Codable, Hashable {
        var keepsFailedDownloads: Bool
        var allowsResumableUploads: Bool

        init(_ configuration: URLSessionConfiguration) {
            keepsFailedDownloads = configuration.keepsFailedDownloads
            allowsResumableUploads = configuration.allowsResumableUploads
        }

        func apply(to configuration: URLSessionConfiguration) {
            configuration.keepsFailedDownloads = keepsFailedDownloads
            configuration.allowsResumableUploads = allowsResumableUploads
        }
    }
}

// Added in later versions: older encoded values lack them, and then the configuration's stay. Newer
// values have all that aren't nil.

extension SessionConfigurationValues {
    private struct TLSVersions: Codable, Hashable {
        var tlsMinimumVersion: UInt16?
        var tlsMaximumVersion: UInt16?

        init(_ configuration: URLSessionConfiguration) {
            tlsMinimumVersion = configuration.tlsMinimumSupportedProtocolVersion.rawValue
            tlsMaximumVersion = configuration.tlsMaximumVersionNumber
        }

        func apply(to configuration: URLSessionConfiguration) {
            guard let tlsMinimumVersion else { return }
            // An unknown version is newer than all known ones.
            configuration.tlsMinimumSupportedProtocolVersion =
                tls_protocol_version_t(rawValue: tlsMinimumVersion) ?? .TLSv13
            configuration.tlsMaximumVersionNumber = tlsMaximumVersion
        }
    }

    private struct Decompression: Codable, Hashable {
        struct Limit: Codable, Hashable {
            let bytes: Int64
            let ratio: Int64
        }

        var limitsDecompression: Bool?
        var decompressionLimit: Limit?

        init(_ configuration: URLSessionConfiguration) {
            decompressionLimit = configuration.decompressionLimits.map { limits in
                Limit(bytes: limits.bytes, ratio: limits.ratio)
            }
            limitsDecompression = decompressionLimit != nil
        }

        func apply(to configuration: URLSessionConfiguration) {
            guard limitsDecompression != nil else { return }
            configuration.decompressionLimits = decompressionLimit.map { ($0.bytes, $0.ratio) }
        }
    }

    private struct Queue: Codable, Hashable {
        var limitsQueue: Bool?
        var timeoutIntervalInQueue: TimeInterval?
        var maximumQueuedTransfers: Int?

        init(_ configuration: URLSessionConfiguration) {
            timeoutIntervalInQueue = configuration.timeoutIntervalInQueue
            maximumQueuedTransfers = configuration.maximumQueuedTransfers
            limitsQueue = timeoutIntervalInQueue != nil || maximumQueuedTransfers != nil
        }

        func apply(to configuration: URLSessionConfiguration) {
            guard limitsQueue != nil else { return }
            configuration.timeoutIntervalInQueue = timeoutIntervalInQueue
            configuration.maximumQueuedTransfers = maximumQueuedTransfers
        }
    }

    private struct Connections: Codable, Hashable {
        var connectionLifetime: TimeInterval?
        var idleConnectionLifetime: TimeInterval?
        var maximumIdleConnections: Int?
        var dnsCacheLifetime: TimeInterval?
        var eventLoopCount: Int?

        init(_ configuration: URLSessionConfiguration) {
            connectionLifetime = configuration.connectionLifetime
            idleConnectionLifetime = configuration.idleConnectionLifetime
            maximumIdleConnections = configuration.maximumIdleConnections
            dnsCacheLifetime = configuration.dnsCacheLifetime
            eventLoopCount = configuration.eventLoopCount
        }

        func apply(to configuration: URLSessionConfiguration) {
            guard let idleConnectionLifetime, let maximumIdleConnections, let dnsCacheLifetime
            else { return }
            configuration.connectionLifetime = connectionLifetime
            configuration.idleConnectionLifetime = idleConnectionLifetime
            configuration.maximumIdleConnections = maximumIdleConnections
            configuration.dnsCacheLifetime = dnsCacheLifetime
            configuration.eventLoopCount = eventLoopCount
        }
    }
}
