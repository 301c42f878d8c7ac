import Foundation
import Testing

@testable import CurlURLSession

struct NSURLRequestTests {
    private func url() throws -> URL {
        try #require(URL(string: "http://example.com/a"))
    }

    /// A request whose properties, except URL and stream, differ from a new request's.
    private func changedRequest() throws -> URLRequest {
        var request = URLRequest(url: try url())
        for change in URLRequestTests.changes
        where !["url", "httpBodyStream"].contains(change.name) {
            change.make(&request)
        }
        return request
    }

    @Test func requestBridgesToAnObjectAndBack() throws {
        let value = try changedRequest()
        let object = NSURLRequest(value)
        #expect(type(of: object) == NSURLRequest.self)
        #expect(URLRequest(object) == value)
        #expect(value._bridgeToObjectiveC() == object)
        #expect(object._bridgeToSwift() == value)
        #expect(URLRequest._unconditionallyBridgeFromObjectiveC(object) == value)
        #expect(URLRequest._unconditionallyBridgeFromObjectiveC(nil).url == nil)
    }

    @Test func valuesAndObjectsAreCastToEachOther() throws {
        let url = try #require(URL(string: "http://example.com/"))
        let mutable = NSMutableURLRequest(url: url)
        mutable.httpMethod = "PUT"
        let value = mutable as URLRequest
        #expect(value.httpMethod == "PUT")
        mutable.httpMethod = "POST"
        #expect(value.httpMethod == "PUT")
        #expect((value as NSURLRequest).url == url)
        #expect((mutable.copy() as? URLRequest)?.httpMethod == "POST")
        let any: Any = value
        #expect((any as? NSURLRequest)?.httpMethod == "PUT")
        #expect(any as? NSMutableURLRequest == nil)
    }

    @Test func bridgedRequestSharesNoState() throws {
        let object = NSMutableURLRequest(url: try url())
        let value = URLRequest(object)
        object.httpMethod = "PUT"
        #expect(value.httpMethod == "GET")
    }

    @Test func objectHasTheValuesProperties() throws {
        let value = try changedRequest()
        for object in [
            NSURLRequest(value), try #require(NSURLRequest(value).mutableCopy() as? NSURLRequest),
        ] {
            #expect(object.url == value.url)
            #expect(object.mainDocumentURL == value.mainDocumentURL)
            #expect(object.cachePolicy == value.cachePolicy)
            #expect(object.timeoutInterval == value.timeoutInterval)
            #expect(object.networkServiceType == value.networkServiceType)
            #expect(object.allowsCellularAccess == value.allowsCellularAccess)
            #expect(object.allowsExpensiveNetworkAccess == value.allowsExpensiveNetworkAccess)
            #expect(object.allowsConstrainedNetworkAccess == value.allowsConstrainedNetworkAccess)
            #expect(object.assumesHTTP3Capable == value.assumesHTTP3Capable)
            #expect(object.httpMethod == value.httpMethod)
            #expect(object.allHTTPHeaderFields == value.allHTTPHeaderFields)
            #expect(object.value(forHTTPHeaderField: "a") == "1")
            #expect(object.httpBody == value.httpBody)
            #expect(object.httpShouldHandleCookies == value.httpShouldHandleCookies)
            #expect(object.httpShouldUsePipelining == value.httpShouldUsePipelining)
        }
    }

    @Test func mutableRequestAcceptsEveryChange() throws {
        let url = try url()
        let stream = InputStream(data: Data([1]))
        let object = NSMutableURLRequest(url: url)
        object.url = URL(string: "http://example.com/b")
        object.mainDocumentURL = url
        object.cachePolicy = .returnCacheDataElseLoad
        object.timeoutInterval = 5
        object.networkServiceType = .voice
        object.allowsCellularAccess = false
        object.allowsExpensiveNetworkAccess = false
        object.allowsConstrainedNetworkAccess = false
        object.assumesHTTP3Capable = true
        object.httpMethod = "post"
        object.allHTTPHeaderFields = ["a": "1"]
        object.setValue("2", forHTTPHeaderField: "b")
        object.addValue("3", forHTTPHeaderField: "B")
        object.httpBody = Data([1])
        object.httpBodyStream = stream
        object.httpShouldHandleCookies = false
        object.httpShouldUsePipelining = false
        #expect(object.url?.absoluteString == "http://example.com/b")
        #expect(object.mainDocumentURL == url)
        #expect(object.cachePolicy == .returnCacheDataElseLoad)
        #expect(object.timeoutInterval == 5)
        #expect(object.networkServiceType == .voice)
        #expect(!object.allowsCellularAccess)
        #expect(!object.allowsExpensiveNetworkAccess)
        #expect(!object.allowsConstrainedNetworkAccess)
        #expect(object.assumesHTTP3Capable)
        #expect(object.httpMethod == "POST")
        #expect(object.allHTTPHeaderFields == ["a": "1", "B": "2,3"])
        #expect(object.httpBody == nil)
        #expect(object.httpBodyStream === stream)
        #expect(!object.httpShouldHandleCookies)
        #expect(!object.httpShouldUsePipelining)
        object.httpMethod = nil
        #expect(object.httpMethod == "GET")
    }

    @Test func onlyMutableRequestsAreCopied() throws {
        let object = NSURLRequest(url: try url())
        #expect(object.copy() as? NSURLRequest === object)
        let mutable = try #require(object.mutableCopy() as? NSMutableURLRequest)
        let copy = try #require(mutable.copy() as? NSMutableURLRequest)
        #expect(copy !== mutable)
        copy.httpMethod = "PUT"
        #expect(mutable.httpMethod == "GET")
        #expect(object.httpMethod == "GET")
    }

    @Test func objectsWithEqualPropertiesAreEqual() throws {
        let object = NSURLRequest(url: try url())
        #expect(object == NSURLRequest(url: try url()))
        #expect(object == NSMutableURLRequest(url: try url()))
        #expect(object.hash == NSMutableURLRequest(url: try url()).hash)
        #expect(object.isEqual(URLRequest(url: try url())))
        #expect(try object != NSURLRequest(changedRequest()))
        #expect(!object.isEqual("http://example.com/a"))
        #expect(!object.isEqual(nil))
    }

    @Test func descriptionHasTheURL() throws {
        let object = NSMutableURLRequest(url: try url())
        #expect(object.description.hasSuffix("{ URL: http://example.com/a }"))
        object.url = nil
        #expect(object.description.hasSuffix("{ URL: (null) }"))
    }

    @Test func archivedRequestIsDecodedUnchanged() throws {
        let original = try changedRequest()
        #expect(NSURLRequest.supportsSecureCoding)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: NSURLRequest(original),
            requiringSecureCoding: true
        )
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURLRequest.self, from: archive)
        #expect(read.map { URLRequest($0) } == original)
        #expect(read?.timeoutInterval == 5)
        let fresh = try NSKeyedArchiver.archivedData(
            withRootObject: NSMutableURLRequest(url: try url()),
            requiringSecureCoding: true
        )
        let mutable = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSMutableURLRequest.self,
            from: fresh
        )
        #expect(mutable == NSMutableURLRequest(url: try url()))
        #expect(mutable?.allHTTPHeaderFields == nil)
        #expect(mutable?.state.timeout.isChosen == false)
    }

    @Test func archivedRequestHasNoStream() throws {
        let object = NSMutableURLRequest(url: try url())
        object.httpBodyStream = InputStream(data: Data([1]))
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: object,
            requiringSecureCoding: true
        )
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURLRequest.self, from: archive)
        #expect(read?.url == object.url)
        #expect(read?.httpBodyStream == nil)
    }

    @Test func policiesHaveFoundationsNumbers() {
        let policies: [NSURLRequest.CachePolicy] = [
            .useProtocolCachePolicy, .reloadIgnoringLocalCacheData,
            .reloadIgnoringLocalAndRemoteCacheData, .returnCacheDataElseLoad,
            .returnCacheDataDontLoad, .reloadRevalidatingCacheData,
        ]
        #expect(policies.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(NSURLRequest.CachePolicy.reloadIgnoringCacheData == .reloadIgnoringLocalCacheData)
        let services: [NSURLRequest.NetworkServiceType] = [
            .default, .voip, .video, .background, .voice, .networkServiceTypeCallSignaling,
        ]
        #expect(services.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    }
}
