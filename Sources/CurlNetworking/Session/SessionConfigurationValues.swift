public import CurlURLSession
internal import Foundation

/// What of a session's configuration can be written down: all that is a plain value, and none of the
/// storages, protocols, proxies and certificates, which belong to a process. Of its `tlsConfiguration`,
/// those are the oldest and the newest version of TLS; pins and ciphers have to be set again.
///
/// AFNetworking's managers are archived with their configuration alone. This is what takes the place of
/// that: a manager is created again from the values.
///
/// ```swift
/// let data = try JSONEncoder().encode(SessionConfigurationValues(manager.session.configuration))
/// let values = try JSONDecoder().decode(SessionConfigurationValues.self, from: data)
/// let other = URLSessionManager(sessionConfiguration: values.configuration)
/// ```
///
/// Header fields are written in plain text: an `Authorization` among the `httpAdditionalHeaders` as well.
public struct SessionConfigurationValues: Codable, Sendable, Hashable {
    private var identifier: String?
    private var requestCachePolicy: UInt
    private var timeoutIntervalForRequest: TimeInterval
    private var timeoutIntervalForResource: TimeInterval
    private var timeoutIntervalForConnection: TimeInterval?
    private var networkServiceType: UInt
    private var allowsCellularAccess: Bool
    private var allowsExpensiveNetworkAccess: Bool
    private var allowsConstrainedNetworkAccess: Bool
    private var waitsForConnectivity: Bool
    private var isDiscretionary: Bool
    private var httpShouldUsePipelining: Bool
    private var httpShouldSetCookies: Bool
    private var httpCookieAcceptPolicy: UInt
    private var httpAdditionalHeaders: [String: String]?
    private var httpMaximumConnectionsPerHost: Int
    private var usesEnvironmentProxies: Bool
    private var keepsFailedDownloads: Bool
    private var allowsResumableUploads: Bool
    // Written since there are values without them, and then all but the last two.
    private var tlsMinimumVersion: UInt16?
    private var httpVersion: String?
    private var limitsExpansion: Bool?
    private var tlsMaximumVersion: UInt16?
    private var expansionLimit: ExpansionLimitValue?

    private struct ExpansionLimitValue: Codable, Hashable {
        let bytes: Int64
        let ratio: Int64
    }

    /// Takes what a configuration has.
    public init(_ configuration: URLSessionConfiguration) {
        identifier = configuration.identifier
        requestCachePolicy = configuration.requestCachePolicy.rawValue
        timeoutIntervalForRequest = configuration.timeoutIntervalForRequest
        timeoutIntervalForResource = configuration.timeoutIntervalForResource
        timeoutIntervalForConnection = configuration.timeoutIntervalForConnection
        networkServiceType = configuration.networkServiceType.rawValue
        allowsCellularAccess = configuration.allowsCellularAccess
        allowsExpensiveNetworkAccess = configuration.allowsExpensiveNetworkAccess
        allowsConstrainedNetworkAccess = configuration.allowsConstrainedNetworkAccess
        waitsForConnectivity = configuration.waitsForConnectivity
        isDiscretionary = configuration.isDiscretionary
        httpShouldUsePipelining = configuration.httpShouldUsePipelining
        httpShouldSetCookies = configuration.httpShouldSetCookies
        httpCookieAcceptPolicy = configuration.httpCookieAcceptPolicy.rawValue
        httpAdditionalHeaders = configuration.httpAdditionalHeaders.map { headers in
            Dictionary(
                headers.map { ("\($0.key)", "\($0.value)") },
                uniquingKeysWith: { first, _ in first }
            )
        }
        httpMaximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
        usesEnvironmentProxies = configuration.usesEnvironmentProxies
        keepsFailedDownloads = configuration.keepsFailedDownloads
        allowsResumableUploads = configuration.allowsResumableUploads
        tlsMinimumVersion = configuration.tlsMinimumSupportedProtocolVersion.rawValue
        tlsMaximumVersion = configuration.tlsMaximumVersionNumber
        httpVersion = configuration.httpVersionName
        expansionLimit = configuration.expansionLimits.map { limits in
            ExpansionLimitValue(bytes: limits.bytes, ratio: limits.ratio)
        }
        limitsExpansion = expansionLimit != nil
    }

    /// A new configuration with these values, and otherwise like `URLSessionConfiguration.default`.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        apply(to: configuration)
        return configuration
    }

    /// Sets a configuration to these values: to those, for instance, of an `ephemeral` one.
    public func apply(to configuration: URLSessionConfiguration) {
        configuration.identifier = identifier
        configuration.requestCachePolicy =
            URLRequest.CachePolicy(rawValue: requestCachePolicy) ?? .useProtocolCachePolicy
        configuration.timeoutIntervalForRequest = timeoutIntervalForRequest
        configuration.timeoutIntervalForResource = timeoutIntervalForResource
        configuration.timeoutIntervalForConnection = timeoutIntervalForConnection
        configuration.networkServiceType =
            URLRequest.NetworkServiceType(rawValue: networkServiceType) ?? .default
        configuration.allowsCellularAccess = allowsCellularAccess
        configuration.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        configuration.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        configuration.waitsForConnectivity = waitsForConnectivity
        configuration.isDiscretionary = isDiscretionary
        configuration.httpShouldUsePipelining = httpShouldUsePipelining
        configuration.httpShouldSetCookies = httpShouldSetCookies
        configuration.httpCookieAcceptPolicy =
            HTTPCookie.AcceptPolicy(rawValue: httpCookieAcceptPolicy)
            ?? .onlyFromMainDocumentDomain
        configuration.httpAdditionalHeaders = httpAdditionalHeaders
        configuration.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        configuration.usesEnvironmentProxies = usesEnvironmentProxies
        configuration.keepsFailedDownloads = keepsFailedDownloads
        configuration.allowsResumableUploads = allowsResumableUploads
        applyLater(to: configuration)
    }

    /// What values that were written by former versions don't have is left alone.
    private func applyLater(to configuration: URLSessionConfiguration) {
        if let tlsMinimumVersion {
            // One that isn't known is newer than those that are.
            configuration.tlsMinimumSupportedProtocolVersion =
                tls_protocol_version_t(rawValue: tlsMinimumVersion) ?? .TLSv13
            configuration.tlsMaximumVersionNumber = tlsMaximumVersion
        }
        if let httpVersion { configuration.httpVersionName = httpVersion }
        if limitsExpansion != nil {
            configuration.expansionLimits = expansionLimit.map { ($0.bytes, $0.ratio) }
        }
    }
}
