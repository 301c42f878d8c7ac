internal import CurlNetworking
internal import CurlURLSession
internal import Foundation
internal import Testing

/// The collection of header fields: names, order, equality and storage.
@Suite struct HTTPHeadersTests {
    private func names(_ headers: HTTPHeaders) -> [String] { headers.map(\.name) }

    @Test func lastFieldOfANameIsAtThePositionOfTheFirst() {
        let fields = [
            HTTPHeader(name: "Accept", value: "1"), HTTPHeader(name: "X-A", value: "2"),
            HTTPHeader(name: "ACCEPT", value: "3"), HTTPHeader(name: "x-a", value: "4"),
        ]
        let headers = HTTPHeaders(fields)
        #expect(headers.description == "ACCEPT: 3\nx-a: 4")
        #expect(headers.count == 2 && headers[1] == HTTPHeader(name: "x-a", value: "4"))
        #expect(HTTPHeaders(["b": "1", "B": "2", "a": "3"]).description == "b: 1\na: 3")
    }

    @Test func otherScriptsLettersAreOtherNames() {
        // The Kelvin sign's lowercase letter is “k”.
        let headers: HTTPHeaders = ["K": "1", "\u{212A}": "2"]
        #expect(headers.count == 2 && headers["k"] == "1")
        #expect(HTTPHeaders()["k"] == nil)
    }

    @Test func equalityNeedsAllNamesAndValues() {
        let one: HTTPHeaders = ["A": "1", "B": "2"]
        #expect(one == ["b": "2", "a": "1"])
        #expect(one != ["A": "1"] && one != ["A": "1", "B": "2", "C": "3"])
        #expect(one != ["A": "1", "B": "3"] && one != ["A": "1", "C": "2"])
        #expect(Set([one, ["b": "2", "a": "1"], ["A": "1"]]).count == 2)
    }

    @Test func sortingKeepsTheOriginal() {
        let headers: HTTPHeaders = ["b": "1", "A": "2", "C": "3"]
        #expect(names(headers.sorted()) == ["A", "b", "C"])
        #expect(names(headers) == ["b", "A", "C"])
        #expect(HTTPHeaders().sorted().description.isEmpty)
    }

    @Test func newHeadersReplaceAllFieldsOfARequest() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h/")))
        request.setValue("1", forHTTPHeaderField: "X-Old")
        request.headers = ["X-New": "2"]
        #expect(request.allHTTPHeaderFields == ["X-New": "2"])
        request.headers["x-new"] = nil
        request.headers.add(.accept("*/*"))
        #expect(request.headers == [.accept("*/*")])
        request.headers = []
        #expect(request.headers.isEmpty)
        // The value isn't dropped: the request fails before it is sent.
        request.headers = ["X-New": "a\nb"]
        #expect(request.allHTTPHeaderFields == ["X-New": "a\nb"])
    }

    @Test func storedFieldsAreAnArray() throws {
        let headers: HTTPHeaders = ["b": "1", "A": ""]
        let data = try JSONEncoder().encode(headers)
        let array = try JSONSerialization.jsonObject(with: data) as? [[String: String]]
        #expect(array == [["name": "b", "value": "1"], ["name": "A", "value": ""]])
        for text in [#"{"b":"1"}"#, #"[{"name":"b"}]"#, #"[{"name":"b","value":1}]"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(HTTPHeaders.self, from: Data(text.utf8))
            }
        }
    }

    @Test func credentialsAreEncodedAsUTF8() {
        let header = HTTPHeader.authorization(username: "Aladdin", password: "open sesame")
        #expect(header.value == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let empty = HTTPHeader.authorization(username: "", password: "")
        #expect(empty.value == "Basic Og==")
        let other = HTTPHeader.authorization(username: "test", password: "123£")
        // The example of RFC 7617, 2.1.
        #expect(other.value == "Basic dGVzdDoxMjPCow==")
        #expect(HTTPHeader.authorization("Digest x").description == "Authorization: Digest x")
    }
}
