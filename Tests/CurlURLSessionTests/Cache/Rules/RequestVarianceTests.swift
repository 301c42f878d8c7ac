import Foundation
import Testing

@testable import CurlURLSession

struct RequestVarianceTests {
    private func variance(
        _ fields: [(String, String)],
        of request: [(String, String)] = []
    ) throws -> RequestVariance? {
        RequestVariance(
            of: try CacheSamples.request(CacheSamples.url().absoluteString, request),
            answeredBy: try CacheSamples.response(fields).fields
        )
    }

    private func answers(
        _ variance: RequestVariance?,
        _ request: [(String, String)]
    ) throws -> Bool {
        try #require(variance)
            .answers(CacheSamples.request(CacheSamples.url().absoluteString, request))
    }

    @Test func everyVaryFieldIsCompared() throws {
        let own = [("A", "1"), ("B", "2")]
        let variance = try variance([("Vary", "B, a"), ("vary", "c")], of: own)
        #expect(variance?.names == ["a", "b", "c"])
        #expect(try answers(variance, own))
        #expect(try answers(variance, own + [("D", "4")]))
        #expect(try !answers(variance, own + [("C", "3")]))
        #expect(try !answers(variance, own + [("C", "")]))
        #expect(try !answers(variance, [("A", "1")]))
        #expect(try !answers(variance, [("A", "2"), ("B", "1")]))
        #expect(try !answers(variance, []))
    }

    @Test(arguments: ["*", " * ", "a, *", "*, a", "*, *"])
    func varyAsteriskMatchesNothing(vary: String) throws {
        #expect(try variance([("Vary", vary)]) == nil)
        #expect(try variance([("Vary", ""), ("Vary", vary)]) == nil)
    }

    @Test func equivalentFieldSpellingsMatch() throws {
        let list = try variance([("Vary", "A")], of: [("A", "1, 2")])
        #expect(try answers(list, [("A", " 1 ,2,")]))
        #expect(try answers(list, [("A", "1"), ("a", "2")]))
        #expect(try !answers(list, [("A", "2, 1")]))
        let quoted = try variance([("Vary", "A")], of: [("A", "\"1, 2\"")])
        #expect(try !answers(quoted, [("A", "\"1,2\"")]))
        let language = try variance([("Vary", "Accept-Language")], of: [("Accept-Language", "en")])
        #expect(try answers(language, [("Accept-Language", "EN")]))
        let other = try variance([("Vary", "A")], of: [("A", "en")])
        #expect(try !answers(other, [("A", "EN")]))
    }

    @Test("A request without Accept-Language counts as one with the language that sessions add")
    func addedLanguageIsCompared() throws {
        let plain = try variance([("Vary", "Accept-Language")])
        #expect(try answers(plain, []))
        let added = AddedFields.acceptLanguage.map { [("Accept-Language", $0)] } ?? []
        #expect(try answers(plain, added))
        #expect(try !answers(plain, [("Accept-Language", "tlh")]))
    }

    @Test func fieldValuesCannotImitateOtherFields() throws {
        let variance = try variance([("Vary", "a, b")], of: [("A", "1\nb=1=2")])
        #expect(try !answers(variance, [("A", "1"), ("B", "2")]))
    }

    @Test func responsesOfOneUserDoNotMatchAnother() throws {
        let own = try variance([], of: [("Authorization", "Bearer a")])
        #expect(try answers(own, [("authorization", "Bearer a")]))
        #expect(try !answers(own, [("Authorization", "Bearer b")]))
        #expect(try !answers(own, []))
        let anybodys = try variance([])
        #expect(try answers(anybodys, []))
        #expect(try !answers(anybodys, [("Authorization", "Bearer a")]))
    }

    @Test func publicResponsesMatchEveryUser() throws {
        let shared = [("Cache-Control", "max-age=1, public")]
        let own = try variance(shared, of: [("Authorization", "Bearer a")])
        #expect(try answers(own, [("Authorization", "Bearer b")]))
        #expect(try answers(own, []))
        #expect(try answers(try variance(shared), [("Authorization", "Bearer b")]))
        // Unless the response varies on `Authorization`.
        let varied = try variance(
            shared + [("Vary", "Authorization")],
            of: [("Authorization", "Bearer a")]
        )
        #expect(try !answers(varied, [("Authorization", "Bearer b")]))
    }

    @Test func urlCredentialsCountAsCredentials() throws {
        let fields = try CacheSamples.response().fields
        let request = try CacheSamples.request("http://u:p@example.com/a")
        let own = try #require(RequestVariance(of: request, answeredBy: fields))
        #expect(own.answers(request))
        #expect(try !own.answers(CacheSamples.request("http://u:q@example.com/a")))
        #expect(try !own.answers(CacheSamples.request("http://example.com/a")))
    }

    @Test func varianceKeepsNoSecrets() throws {
        let variance = try variance(
            [("Vary", "Cookie, Authorization")],
            of: [("Authorization", "Bearer secret"), ("Cookie", "a=secret")]
        )
        let text = String(decoding: try JSONEncoder().encode(variance), as: UTF8.self)
        #expect(!text.contains("secret"))
        #expect(text.contains("cookie"))
    }
}
