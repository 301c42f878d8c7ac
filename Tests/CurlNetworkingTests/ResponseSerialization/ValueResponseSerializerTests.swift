internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct ValueResponseSerializerTests {
    private struct Person: Codable, Sendable, Equatable {
        let name: String
    }

    private func request(_ method: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: Responses.url)))
        request.httpMethod = method
        return request
    }

    private func code(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test("A-22: Values are decoded")
    func valuesAreDecoded() throws {
        let serializer = DecodableResponseSerializer<Person>()
        let data = Data(#"{"name":"Ada"}"#.utf8)
        let response = try Responses.http()
        let ada = Person(name: "Ada")
        #expect(try serializer.value(for: nil, response: response, data: data) == ada)
        #expect(Serialized(serializer, response, data).object as? Person == ada)
        #expect(Serialized(serializer, response, data).error == nil)
        #expect(throws: DecodingError.self) {
            try serializer.value(for: nil, response: response, data: Data("{}".utf8))
        }
        #expect(Serialized(serializer, response, "{}").error is DecodingError)
        let list = DecodableResponseSerializer(of: Person.self, decoder: PropertyListDecoder())
        let plist = try PropertyListEncoder().encode(ada)
        #expect(try list.value(for: nil, response: response, data: plist) == ada)
    }

    @Test("A-22: A rejected response throws; a manager gets its decoded body, too")
    func anUnacceptableResponseThrows() throws {
        let serializer = DecodableResponseSerializer<Person>()
        let response = try Responses.http(422)
        let data = Data(#"{"name":"Ada"}"#.utf8)
        #expect(
            code { _ = try serializer.value(for: nil, response: response, data: data) } == -1011
        )
        let result = Serialized(serializer, response, data)
        #expect(result.object as? Person == Person(name: "Ada"))
        #expect(result.nsError?.code == -1011)
        // A decoding error adds nothing to the status code's error.
        let other = Serialized(serializer, response, "oops")
        #expect(other.object == nil)
        #expect(other.chain == ["com.alamofire.error.serialization.response -1011"])
    }

    @Test("A-22: Bodies of 204, 205 and HEAD may be empty, others may not")
    func bodiesOf204And205AndHEADMayBeEmpty() throws {
        let serializer = DataResponseSerializer()
        let full = try Responses.http(200)
        for status in [204, 205] {
            let response = try Responses.http(status)
            #expect(try serializer.value(for: nil, response: response, data: nil) == Data())
        }
        let head = try serializer.value(for: request("HEAD"), response: full, data: Data())
        #expect(head == Data())
        let get = try request("GET")
        #expect(code { _ = try serializer.value(for: get, response: full, data: nil) } == -1014)
        #expect(Serialized(serializer, full, "").nsError?.code == -1014)
        serializer.emptyResponseRules.statusCodes.insert(200)
        #expect(try serializer.value(for: get, response: full, data: nil) == Data())
        #expect(try serializer.value(for: get, response: full, data: Data([1])) == Data([1]))
    }

    @Test("A-22: An empty body becomes the empty value of types that have one")
    func anEmptyBodyIsTheEmptyValue() throws {
        let none = try Responses.http(204)
        let empty = DecodableResponseSerializer<Empty>()
        #expect(try empty.value(for: nil, response: none, data: nil) == Empty())
        let maybe = DecodableResponseSerializer<Person?>()
        #expect(try maybe.value(for: nil, response: none, data: nil) == nil)
        let person = DecodableResponseSerializer<Person>()
        #expect(code { _ = try person.value(for: nil, response: none, data: nil) } == -1014)
        #expect(try StringResponseSerializer().value(for: nil, response: none, data: nil) == "")
    }

    @Test("A-22: Text uses the response's encoding, by default ISO 8859-1")
    func textIsInTheEncodingOfTheResponse() throws {
        let serializer = StringResponseSerializer()
        let bytes = Data("ä€".utf8)
        let utf8 = try Responses.http(type: "text/plain; charset=utf-8")
        #expect(try serializer.value(for: nil, response: utf8, data: bytes) == "ä€")
        let latin = try Responses.http(type: "text/plain")
        #expect(try serializer.value(for: nil, response: latin, data: Data([0xE4])) == "ä")
        let windows = try Responses.http(type: "text/plain; charset=windows-1252")
        #expect(try serializer.value(for: nil, response: windows, data: Data([0x80])) == "€")
        let utf16 = try Responses.http(type: "text/plain; charset=UTF-16BE")
        #expect(try serializer.value(for: nil, response: utf16, data: Data([0x20, 0xAC])) == "€")
        let unknown = try Responses.http(type: "text/plain; charset=klingon")
        #expect(try serializer.value(for: nil, response: unknown, data: Data([0xE4])) == "ä")
        serializer.encoding = .utf8
        #expect(try serializer.value(for: nil, response: windows, data: bytes) == "ä€")
        #expect(serializer.copy().encoding == .utf8)
        #expect(StringResponseSerializer(encoding: .ascii).encoding == .ascii)
        #expect(Serialized(serializer, utf8, bytes).object as? String == "ä€")
    }

    @Test("A-22: Bytes that aren't valid text are an error")
    func bytesThatAreNoTextAreAnError() throws {
        let response = try Responses.http(type: "text/plain; charset=utf-8")
        let result = Serialized(StringResponseSerializer(), response, Data([0xFF, 0xFE, 0xFF]))
        #expect(result.object == nil)
        #expect(result.nsError?.code == -1015)
        #expect(result.nsError?.localizedDescription.contains("utf-8") == true)
    }

    @Test("A-22: A prefix that protects JSON from running as a script is removed")
    func jsonSecurityPrefixIsRemoved() throws {
        let serializer = DecodableResponseSerializer<[Int]>()
        let data = Data(")]}',\n[1]".utf8)
        let response = try Responses.http()
        #expect(throws: DecodingError.self) {
            try serializer.value(for: nil, response: response, data: data)
        }
        serializer.preprocessor = XSSIPreprocessor()
        #expect(try serializer.value(for: nil, response: response, data: data) == [1])
        #expect(try serializer.value(for: nil, response: response, data: Data("[2]".utf8)) == [2])
        let copy = serializer.copy()
        #expect(try copy.value(for: nil, response: response, data: data) == [1])
    }

    @Test("A-20: A response has its value and all information about the exchange")
    func aResponseHasItsValue() throws {
        let response = try Responses.http()
        let answer = DataResponse(
            request: try request("GET"),
            response: response,
            data: Data("[1]".utf8),
            serializer: DecodableResponseSerializer<[Int]>()
        )
        #expect(answer.value == [1])
        #expect(answer.error == nil)
        #expect(answer.response === response)
        #expect(answer.request?.url == response.url)
        let text = answer.map { "\($0)" }
        #expect(text.value == "[1]")
        #expect(text.data == answer.data)
        struct Refusal: Error {}
        let refused = answer.tryMap { _ -> Int in throw Refusal() }
        #expect(refused.error is Refusal)
        #expect(refused.value == nil)
        #expect(answer.tryMap { $0.count }.value == 1)
    }

    @Test("A-20: A failed response has its error, and its body isn't decoded")
    func failedResponseHasItsError() throws {
        let answer = DataResponse(
            request: nil,
            response: nil,
            data: Data("[1]".utf8),
            error: URLError(.timedOut),
            serializer: DecodableResponseSerializer<[Int]>()
        )
        #expect(answer.value == nil)
        #expect(answer.error?.isTimeout == true)
        #expect(answer.serializationDuration == .zero)
        struct Mapped: Error {}
        #expect(answer.mapError { _ in Mapped() }.error != nil)
        #expect(answer.map(\.count).error?.isTimeout == true)
    }
}
