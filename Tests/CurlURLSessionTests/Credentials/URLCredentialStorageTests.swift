import Foundation
import Synchronization
import Testing

@testable import CurlURLSession

struct URLCredentialStorageTests {
    private let storage = URLCredentialStorage()

    private func space(_ realm: String = "r") -> URLProtectionSpace {
        URLProtectionSpace(
            host: "example.com",
            port: 80,
            protocol: "http",
            realm: realm,
            authenticationMethod: nil
        )
    }

    private func credential(
        _ user: String,
        _ password: String = "p",
        _ persistence: URLCredential.Persistence = .forSession
    ) -> URLCredential {
        URLCredential(user: user, password: password, persistence: persistence)
    }

    @Test func credentialIsFoundForAnEqualSpace() {
        #expect(storage.credentials(for: space()) == nil)
        storage.set(credential("u"), for: space())
        #expect(storage.credentials(for: space()) == ["u": credential("u")])
        #expect(storage.credentials(for: space("other")) == nil)
        #expect(storage.allCredentials == [space(): ["u": credential("u")]])
    }

    @Test func userHasOneCredential() {
        storage.set(credential("u", "old"), for: space())
        storage.set(credential("u", "new"), for: space())
        storage.set(credential("v"), for: space())
        #expect(
            storage.credentials(for: space()) == [
                "u": credential("u", "new"), "v": credential("v"),
            ]
        )
        // The replaced credential was the default, so the new one is.
        #expect(storage.defaultCredential(for: space()) == credential("u", "new"))
    }

    @Test func firstCredentialIsTheDefaultUntilReplaced() {
        #expect(storage.defaultCredential(for: space()) == nil)
        storage.set(credential("u"), for: space())
        storage.set(credential("v"), for: space())
        #expect(storage.defaultCredential(for: space()) == credential("u"))
        storage.setDefaultCredential(credential("w"), for: space())
        #expect(storage.defaultCredential(for: space()) == credential("w"))
        #expect(storage.credentials(for: space())?.count == 3)
    }

    @Test(arguments: [URLCredential.Persistence.none, .synchronizable])
    func unpersistedCredentialIsNotStored(persistence: URLCredential.Persistence) {
        storage.set(credential("u", "p", persistence), for: space())
        storage.setDefaultCredential(credential("u", "p", persistence), for: space())
        #expect(storage.allCredentials.isEmpty)
        #expect(storage.defaultCredential(for: space()) == nil)
    }

    @Test func onlyTheStoredCredentialIsRemoved() {
        storage.set(credential("u"), for: space())
        storage.set(credential("v"), for: space())
        storage.remove(credential("u", "other"), for: space())
        storage.remove(credential("u"), for: space("other"))
        #expect(storage.credentials(for: space())?.count == 2)
        storage.remove(credential("u"), for: space())
        #expect(storage.credentials(for: space()) == ["v": credential("v")])
        #expect(storage.defaultCredential(for: space()) == nil)
        storage.remove(credential("v"), for: space(), options: nil)
        #expect(storage.credentials(for: space()) == nil)
        #expect(storage.allCredentials.isEmpty)
    }

    @Test func eachChangePostsOneNotification() {
        let count = Mutex(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSURLCredentialStorageChanged,
            object: storage,
            queue: nil
        ) { _ in
            count.withLock { $0 += 1 }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let expect = { (expected: Int, location: SourceLocation) in
            #expect(count.withLock { $0 } == expected, sourceLocation: location)
        }
        storage.set(credential("u"), for: space())
        expect(1, #_sourceLocation)
        storage.set(credential("u"), for: space())
        storage.setDefaultCredential(credential("u"), for: space())
        storage.remove(credential("v"), for: space())
        expect(1, #_sourceLocation)
        storage.set(credential("v"), for: space())
        expect(2, #_sourceLocation)
        storage.setDefaultCredential(credential("v"), for: space())
        expect(3, #_sourceLocation)
        storage.remove(credential("v"), for: space())
        expect(4, #_sourceLocation)
    }

    @Test func anyThreadCanUseIt() {
        let storage = storage
        let space = space()
        DispatchQueue.concurrentPerform(iterations: 100) { index in
            let credential = URLCredential(
                user: "\(index)",
                password: "p",
                persistence: .forSession
            )
            storage.set(credential, for: space)
            if index.isMultiple(of: 2) { storage.remove(credential, for: space) }
        }
        #expect(storage.credentials(for: space)?.count == 50)
        #expect(URLCredentialStorage.shared === URLCredentialStorage.shared)
    }
}
