import CurlURLSession
import Foundation

/// Header fields in their order. The case of names doesn't matter.
struct Headers: Sendable {
    private(set) var fields: [(name: String, value: String)] = []

    /// The fields of a dictionary, sorted by name.
    init(_ dictionary: [String: String]?) {
        fields = (dictionary ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    subscript(name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    var dictionary: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension URLRequest {
    var headers: Headers {
        get { Headers(allHTTPHeaderFields) }
        set { allHTTPHeaderFields = newValue.dictionary }
    }
}

extension HTTPURLResponse {
    var headers: Headers { Headers(allHeaderFields as? [String: String]) }
}

extension URLSessionConfiguration {
    var headers: Headers {
        get { Headers(httpAdditionalHeaders as? [String: String]) }
        set { httpAdditionalHeaders = newValue.dictionary }
    }

    /// The default configuration with the program's header fields and a cache of its own.
    static var chained: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.headers["Accept-Encoding"] = "gzip;q=1.0, deflate;q=0.9"
        configuration.headers["User-Agent"] = "chains/1.0"
        configuration.urlCache = URLCache(
            memoryCapacity: 1 << 20,
            diskCapacity: 0,
            diskPath: nil
        )
        return configuration
    }
}
