import HTTPTypes
import Testing

@testable import BatchFetch

@Suite struct SecretFieldsTests {
    @Test(arguments: [
        "Authorization", "proxy-authorization", "Cookie", "X-API-Key", "Api-Key", "X-Auth-Token",
        "X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "PRIVATE-TOKEN", "X-Session-Id",
    ])
    func whatProvesWhoAsksIsKnown(name: String) throws {
        #expect(SecretFields.contain(try #require(HTTPField.Name(name))))
    }

    @Test(arguments: ["Accept", "User-Agent", "From", "Idempotency-Key", "Keyword", "X-Monkey"])
    func othersAreNot(name: String) throws {
        #expect(!SecretFields.contain(try #require(HTTPField.Name(name))))
    }
}
