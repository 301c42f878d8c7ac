internal import HTTPSemantics
import Testing

@Suite struct SensitiveFieldsTests {
    @Test(arguments: [
        "Authorization", "proxy-authorization", "Cookie", "X-API-Key", "Api-Key", "X-Auth-Token",
        "X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "PRIVATE-TOKEN", "X-Session-Id",
    ])
    func credentialFieldsAreSensitive(name: String) {
        #expect(SensitiveFields.contain(name))
    }

    @Test(arguments: ["Accept", "User-Agent", "From", "Idempotency-Key", "Keyword", "X-Monkey"])
    func otherFieldsAreNotSensitive(name: String) {
        #expect(!SensitiveFields.contain(name))
    }

    @Test func similarNamesAreSensitiveUnlessExcluded() {
        let names = SensitiveFields.usualNames
        #expect(names.allSatisfy { SensitiveFields.contain($0) })
        #expect(SensitiveFields.contain("X-Session-Secret", orIn: names))
        #expect(SensitiveFields.contain("X-Mine", orIn: names.union(["x-mine"])))
        #expect(!SensitiveFields.contain("X-Mine", orIn: names))
        #expect(!SensitiveFields.contain("X-Session-Secret", orIn: ["cookie"]))
        #expect(SensitiveFields.contain("Cookie", orIn: ["cookie"]))
    }
}
