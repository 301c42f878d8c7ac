internal import CurlURLSession
internal import Foundation

/// The request properties that a serializer sets; `nil` leaves one unchanged.
struct RequestOptions: Sendable {
    var allowsCellularAccess: Bool?
    var cachePolicy: URLRequest.CachePolicy?
    var httpShouldHandleCookies: Bool?
    var httpShouldUsePipelining: Bool?
    var networkServiceType: URLRequest.NetworkServiceType?
    var timeoutInterval: TimeInterval?

    func apply(to request: inout URLRequest) {
        if let allowsCellularAccess { request.allowsCellularAccess = allowsCellularAccess }
        if let cachePolicy { request.cachePolicy = cachePolicy }
        if let httpShouldHandleCookies { request.httpShouldHandleCookies = httpShouldHandleCookies }
        if let httpShouldUsePipelining { request.httpShouldUsePipelining = httpShouldUsePipelining }
        if let networkServiceType { request.networkServiceType = networkServiceType }
        if let timeoutInterval { request.timeoutInterval = timeoutInterval }
    }
}

extension RequestOptions: Codable {
    private enum CodingKeys: CodingKey {
        case allowsCellularAccess, cachePolicy, httpShouldHandleCookies, httpShouldUsePipelining
        case networkServiceType, timeoutInterval
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        allowsCellularAccess = try values.decodeIfPresent(Bool.self, forKey: .allowsCellularAccess)
        cachePolicy = try values.decodeIfPresent(UInt.self, forKey: .cachePolicy)
            .flatMap { URLRequest.CachePolicy(rawValue: $0) }
        httpShouldHandleCookies =
            try values.decodeIfPresent(Bool.self, forKey: .httpShouldHandleCookies)
        httpShouldUsePipelining =
            try values.decodeIfPresent(Bool.self, forKey: .httpShouldUsePipelining)
        networkServiceType = try values.decodeIfPresent(UInt.self, forKey: .networkServiceType)
            .flatMap { URLRequest.NetworkServiceType(rawValue: $0) }
        timeoutInterval = try values.decodeIfPresent(TimeInterval.self, forKey: .timeoutInterval)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(allowsCellularAccess, forKey: .allowsCellularAccess)
        try values.encodeIfPresent(cachePolicy?.rawValue, forKey: .cachePolicy)
        try values.encodeIfPresent(httpShouldHandleCookies, forKey: .httpShouldHandleCookies)
        try values.encodeIfPresent(httpShouldUsePipelining, forKey: .httpShouldUsePipelining)
        try values.encodeIfPresent(networkServiceType?.rawValue, forKey: .networkServiceType)
        try values.encodeIfPresent(timeoutInterval, forKey: .timeoutInterval)
    }
}
