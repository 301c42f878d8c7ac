import Foundation
import Testing

@testable import CurlURLSession

struct URLRequestTests {
    private func request(_ text: String = "http://example.com/a") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: text)))
    }

    @Test func newRequestHasTheDefaults() throws {
        let request = try request()
        #expect(request.url?.absoluteString == "http://example.com/a")
        #expect(request.cachePolicy == .useProtocolCachePolicy)
        #expect(request.timeoutInterval == 60)
        #expect(request.networkServiceType == .default)
        #expect(request.allowsCellularAccess)
        #expect(request.allowsExpensiveNetworkAccess)
        #expect(request.allowsConstrainedNetworkAccess)
        #expect(!request.assumesHTTP3Capable)
        #expect(request.httpMethod == "GET")
        #expect(request.allHTTPHeaderFields == nil)
        #expect(request.httpBody == nil)
        #expect(request.httpBodyStream == nil)
        #expect(request.httpShouldHandleCookies)
        #expect(request.httpShouldUsePipelining)
        #expect(request.mainDocumentURL == nil)
    }

    @Test("An initializer makes a relative URL absolute, and the property keeps it as given")
    func relativeURLIsKeptWhenSet() throws {
        let base = try #require(URL(string: "http://example.com/dir/file"))
        let relative = try #require(URL(string: "b?c", relativeTo: base))
        let given = URLRequest(url: relative)
        #expect(given.url?.relativeString == "http://example.com/dir/b?c")
        #expect(given.url?.baseURL == nil)
        var set = URLRequest(url: base)
        set.url = relative
        let object = NSMutableURLRequest(url: base)
        object.url = relative
        for url in [set.url, object.url] {
            #expect(url?.relativeString == "b?c")
            #expect(url?.baseURL == base)
            #expect(url?.absoluteString == "http://example.com/dir/b?c")
        }
        #expect(set.resolved == given)
        #expect(set.preview?.url == given.url)
    }

    @Test(arguments: [
        (nil, "GET"), ("get", "GET"), ("Head", "HEAD"), ("pOst", "POST"), ("put", "PUT"),
        ("delete", "DELETE"), ("connect", "CONNECT"), ("patch", "patch"), ("PATCH", "PATCH"),
        ("options", "options"), ("trace", "trace"), ("propFind", "propFind"), ("", ""),
    ])
    func sixStandardMethodsAreUppercased(given: String?, expected: String) throws {
        var request = try request()
        request.httpMethod = "X"
        request.httpMethod = given
        #expect(request.httpMethod == expected)
    }

    @Test func changedCopyLeavesTheOriginalUnchanged() throws {
        let first = try request()
        var second = first
        second.httpMethod = "PUT"
        second.setValue("1", forHTTPHeaderField: "a")
        second.httpBody = Data([1])
        #expect(first.httpMethod == "GET")
        #expect(first.allHTTPHeaderFields == nil)
        #expect(first.httpBody == nil)
    }

    @Test func bodyAndStreamExcludeEachOther() throws {
        var request = try request()
        let stream = InputStream(data: Data([2]))
        request.httpBody = Data([1])
        request.httpBodyStream = stream
        #expect(request.httpBody == nil)
        #expect(request.httpBodyStream === stream)
        request.httpBody = Data([3])
        #expect(request.httpBody == Data([3]))
        #expect(request.httpBodyStream == nil)
        request.httpBodyStream = nil
        #expect(request.httpBody == nil)
    }

    @Test(
        "A value with a NUL or a line end is neither set nor added",
        arguments: ["a\u{0}", "a\nb", "a\rb", "a\r\nb", "a\r\n", "a\r\r\n b", "\n b"]
    )
    func valueWithALineEndIsIgnored(_ value: String) throws {
        var request = try request()
        request.setValue(value, forHTTPHeaderField: "A")
        request.addValue(value, forHTTPHeaderField: "B")
        #expect(request.allHTTPHeaderFields == nil)
        request.setValue("1", forHTTPHeaderField: "A")
        request.setValue(value, forHTTPHeaderField: "A")
        request.addValue(value, forHTTPHeaderField: "A")
        #expect(request.allHTTPHeaderFields == ["A": "1"])
        let object = NSMutableURLRequest(url: try #require(request.url))
        object.setValue(value, forHTTPHeaderField: "A")
        object.addValue(value, forHTTPHeaderField: "A")
        #expect(object.allHTTPHeaderFields == nil)
    }

    @Test("A folded value is kept as given, and sent with a space for each fold")
    func foldedValueIsKept() throws {
        var request = try request()
        request.setValue("a \r\n\t b\r\n c", forHTTPHeaderField: "A")
        let value = try #require(request.value(forHTTPHeaderField: "A"))
        #expect(Array(value.utf8) == Array("a \r\n\t b\r\n c".utf8))
        #expect(value.unfoldedFieldValue == "a b c")
        #expect("a b".unfoldedFieldValue == nil)
        #expect("a\r\nb".unfoldedFieldValue == nil)
        #expect(request.preview?.fields.first?.value == "a b c")
    }

    @Test func timeoutOf60SecondsCanBeSet() throws {
        var request = try request()
        #expect(!request.state.timeout.isChosen)
        request.timeoutInterval = 60
        #expect(request.state.timeout.isChosen)
        let url = try #require(request.url)
        #expect(URLRequest(url: url, timeoutInterval: 5).state.timeout.isChosen)
        #expect(!URLRequest(url: url, timeoutInterval: 60).state.timeout.isChosen)
        // Choosing the timeout doesn't affect equality.
        #expect(request == URLRequest(url: url))
        #expect(request.hashValue == URLRequest(url: url).hashValue)
    }

    /// A change to each property.
    static let changes: [(name: String, make: @Sendable (inout URLRequest) -> Void)] = [
        ("url", { $0.url = nil }),
        ("mainDocumentURL", { $0.mainDocumentURL = $0.url }),
        ("cachePolicy", { $0.cachePolicy = .reloadIgnoringLocalCacheData }),
        ("timeoutInterval", { $0.timeoutInterval = 5 }),
        ("networkServiceType", { $0.networkServiceType = .video }),
        ("allowsCellularAccess", { $0.allowsCellularAccess = false }),
        ("allowsExpensiveNetworkAccess", { $0.allowsExpensiveNetworkAccess = false }),
        ("allowsConstrainedNetworkAccess", { $0.allowsConstrainedNetworkAccess = false }),
        ("assumesHTTP3Capable", { $0.assumesHTTP3Capable = true }),
        ("httpMethod", { $0.httpMethod = "POST" }),
        ("allHTTPHeaderFields", { $0.setValue("1", forHTTPHeaderField: "A") }),
        ("httpBody", { $0.httpBody = Data([1]) }),
        ("httpBodyStream", { $0.httpBodyStream = InputStream(data: Data([1])) }),
        ("httpShouldHandleCookies", { $0.httpShouldHandleCookies = false }),
        ("httpShouldUsePipelining", { $0.httpShouldUsePipelining = false }),
    ]

    @Test(arguments: changes.indices)
    func requestsDifferByEveryProperty(index: Int) throws {
        let original = try request()
        var changed = original
        #expect(changed == original)
        #expect(changed.hashValue == original.hashValue)
        Self.changes[index].make(&changed)
        #expect(changed != original, "\(Self.changes[index].name)")
        #expect(Set([original, changed, changed]).count == 2)
    }

    @Test func mirrorHasThePropertyNames() throws {
        let names = Mirror(reflecting: try request()).children.map(\.label)
        #expect(Set(names) == Set(Self.changes.map(\.name)))
        #expect(names.count == Self.changes.count)
    }

    @Test func requestDescriptionHasTheURL() throws {
        var request = try request()
        #expect(request.description == "http://example.com/a")
        #expect(request.debugDescription == "http://example.com/a")
        request.url = nil
        #expect(request.description == "url: nil")
    }
}
