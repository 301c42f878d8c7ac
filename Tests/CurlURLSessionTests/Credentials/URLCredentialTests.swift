import Foundation
import Testing

@testable import CurlURLSession

struct URLCredentialTests {
    private func credential(
        _ user: String = "u",
        _ password: String = "p",
        _ persistence: URLCredential.Persistence = .forSession
    ) -> URLCredential {
        URLCredential(user: user, password: password, persistence: persistence)
    }

    @Test func credentialHasItsInitialValues() {
        let credential = credential("Aladdin", "open sesame", .permanent)
        #expect(credential.user == "Aladdin")
        #expect(credential.password == "open sesame")
        #expect(credential.hasPassword)
        #expect(credential.persistence == .permanent)
        #expect(credential.copy() as? URLCredential === credential)
        #expect(self.credential("u", "").hasPassword)
    }

    @Test func credentialsAreEqualWithEqualProperties() {
        #expect(credential() == credential())
        #expect(credential().hash == credential().hash)
        #expect(credential() != credential("v"))
        #expect(credential() != credential("u", "q"))
        #expect(credential() != credential("u", "p", .none))
        #expect(!credential().isEqual("u"))
    }

    @Test func descriptionOmitsThePassword() {
        let credential = credential("Aladdin", "open sesame")
        #expect(!credential.description.contains("sesame"))
        #expect(!credential.debugDescription.contains("sesame"))
        #expect(!"\(credential)".contains("sesame"))
    }

    @Test(arguments: [
        URLCredential.Persistence.none, .forSession, .permanent, .synchronizable,
    ])
    func archivedCredentialIsDecodedUnchanged(
        persistence: URLCredential.Persistence
    ) throws {
        #expect(URLCredential.supportsSecureCoding)
        let original = credential("ü", "p", persistence)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: original,
            requiringSecureCoding: true
        )
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: URLCredential.self,
            from: archive
        )
        #expect(read == original)
    }
}
