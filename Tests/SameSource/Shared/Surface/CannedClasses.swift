import Foundation

final class TeapotResponse: HTTPURLResponse, @unchecked Sendable {
    override var description: String { "teapot \(statusCode)" }
    override var suggestedFilename: String? { "tea" }
    override var mimeType: String? { "text/tea" }
}

final class MarkedRequest: NSMutableURLRequest {
    override func value(forHTTPHeaderField field: String) -> String? {
        field == "X-Mark" ? "marked" : super.value(forHTTPHeaderField: field)
    }

    override func setValue(_ value: String?, forHTTPHeaderField field: String) {
        super.setValue(value, forHTTPHeaderField: field.lowercased())
    }
}

final class CountingCache: URLCache, @unchecked Sendable {
    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        super.cachedResponse(for: request)
    }

    override func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for request: URLRequest
    ) {}

    override func removeAllCachedResponses() {}
}

final class FixedCredentialStorage: URLCredentialStorage, @unchecked Sendable {
    override func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        URLCredential(user: "fixed", password: "1", persistence: .none)
    }

    override func set(_ credential: URLCredential, for space: URLProtectionSpace) {}
}

final class PatientConfiguration: URLSessionConfiguration, @unchecked Sendable {
    override var timeoutIntervalForRequest: TimeInterval {
        get { 600 }
        set {}
    }
}

final class MemoryCookieStorage: HTTPCookieStorage, @unchecked Sendable {
    override func cookies(for url: URL) -> [HTTPCookie]? { [] }
    override func setCookie(_ cookie: HTTPCookie) {}
}

final class PlainCookie: HTTPCookie, @unchecked Sendable {
    override var isSecure: Bool { false }
}

final class AnySpace: URLProtectionSpace, @unchecked Sendable {
    override func isProxy() -> Bool { true }
    override var receivesCredentialSecurely: Bool { true }
}

final class NoPassword: URLCredential, @unchecked Sendable {
    override var password: String? { nil }
    override var hasPassword: Bool { false }
}

final class PrivateCopy: CachedURLResponse, @unchecked Sendable {
    override var storagePolicy: URLCache.StoragePolicy { .notAllowed }
}

final class FirstChallenge: URLAuthenticationChallenge, @unchecked Sendable {
    override var previousFailureCount: Int { 0 }
}

final class CannedDownload: URLSessionDownloadTask, @unchecked Sendable {
    override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        completionHandler(Data())
    }
}

final class CannedUpload: URLSessionUploadTask, @unchecked Sendable {
    override func resume() {}
}

final class CannedSocket: URLSessionWebSocketTask, @unchecked Sendable {
    override var closeCode: CloseCode { .normalClosure }
    override func cancel(with closeCode: CloseCode, reason: Data?) {}
}
