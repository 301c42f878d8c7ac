internal import Foundation

extension RequestState {
    private enum Key {
        static let url = "url"
        static let mainDocumentURL = "mainDocumentURL"
        static let cachePolicy = "cachePolicy"
        static let timeoutInterval = "timeoutInterval"
        static let isTimeoutChosen = "isTimeoutChosen"
        static let networkServiceType = "networkServiceType"
        static let allowsCellularAccess = "allowsCellularAccess"
        static let allowsExpensiveNetworkAccess = "allowsExpensiveNetworkAccess"
        static let allowsConstrainedNetworkAccess = "allowsConstrainedNetworkAccess"
        static let assumesHTTP3Capable = "assumesHTTP3Capable"
        static let method = "httpMethod"
        static let headerFields = "headerFields"
        static let body = "httpBody"
        static let handlesCookies = "httpShouldHandleCookies"
        static let usesPipelining = "httpShouldUsePipelining"
    }

    /// Returns `nil` if the coder doesn't support keyed coding.
    init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding else { return nil }
        self.init(
            url: coder.decodeURL(Key.url),
            cachePolicy: coder.decodeUInt(Key.cachePolicy).flatMap { .init(rawValue: $0) }
                ?? .useProtocolCachePolicy,
            timeoutInterval: RequestTimeout.standard
        )
        if coder.decodeBool(forKey: Key.isTimeoutChosen) {
            timeout.seconds = coder.decodeDouble(forKey: Key.timeoutInterval)
        }
        mainDocumentURL = coder.decodeURL(Key.mainDocumentURL)
        networkServiceType =
            coder.decodeUInt(Key.networkServiceType).flatMap { .init(rawValue: $0) } ?? .default
        allowsCellularAccess = coder.decodeBool(Key.allowsCellularAccess, default: true)
        allowsExpensiveNetworkAccess =
            coder.decodeBool(Key.allowsExpensiveNetworkAccess, default: true)
        allowsConstrainedNetworkAccess =
            coder.decodeBool(Key.allowsConstrainedNetworkAccess, default: true)
        assumesHTTP3Capable = coder.decodeBool(forKey: Key.assumesHTTP3Capable)
        setMethod(coder.decodeString(Key.method))
        headerFields = coder.decodeHeaderLines(Key.headerFields).map { RequestHeaderFields($0) }
        body.data = coder.decodeData(Key.body)
        httpShouldHandleCookies = coder.decodeBool(Key.handlesCookies, default: true)
        httpShouldUsePipelining = coder.decodeBool(Key.usesPipelining, default: true)
    }

    /// Encodes everything except a body stream.
    func encode(with coder: NSCoder) {
        guard coder.allowsKeyedCoding else { return }
        coder.encode(url, key: Key.url)
        coder.encode(mainDocumentURL, key: Key.mainDocumentURL)
        coder.encode(cachePolicy.rawValue, key: Key.cachePolicy)
        coder.encode(timeout.seconds, forKey: Key.timeoutInterval)
        coder.encode(timeout.isChosen, forKey: Key.isTimeoutChosen)
        coder.encode(networkServiceType.rawValue, key: Key.networkServiceType)
        coder.encode(allowsCellularAccess, forKey: Key.allowsCellularAccess)
        coder.encode(allowsExpensiveNetworkAccess, forKey: Key.allowsExpensiveNetworkAccess)
        coder.encode(allowsConstrainedNetworkAccess, forKey: Key.allowsConstrainedNetworkAccess)
        coder.encode(assumesHTTP3Capable, forKey: Key.assumesHTTP3Capable)
        coder.encode(method, key: Key.method)
        coder.encode(headerFields?.lines, key: Key.headerFields)
        coder.encode(body.data, key: Key.body)
        coder.encode(httpShouldHandleCookies, forKey: Key.handlesCookies)
        coder.encode(httpShouldUsePipelining, forKey: Key.usesPipelining)
    }
}
