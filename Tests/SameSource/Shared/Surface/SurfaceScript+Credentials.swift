import Foundation

extension SurfaceScript {
    static func credentials(_ stage: Stage) throws {
        let persistences: [URLCredential.Persistence] = [.none, .forSession, .permanent]
        for persistence in persistences {
            let same = URLCredential.Persistence(rawValue: persistence.rawValue) ?? .none
            stage.log("\(persistence.rawValue): \(hasValue(persistence, equalTo: same))")
        }
        let credential = URLCredential(user: "ada", password: "lovelace", persistence: .forSession)
        describe(credential, stage)
        let copy = credential.copy() as? URLCredential
        stage.log("copied: \(credential.isEqual(copy))")
        let other = URLCredential(user: "ada", password: "babbage", persistence: .forSession)
        stage.log(
            "equal: \(other == credential), \(credential.copy(with: nil) as? URLCredential == credential)"
        )
        stage.log("secure: \(URLCredential.supportsSecureCoding)")
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        credential.encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        if let read = URLCredential(coder: unarchiver) { describe(read, stage) }
    }

    private static func describe(_ credential: URLCredential, _ stage: Stage) {
        let password = credential.password ?? "none"
        stage.log("\(credential.user ?? "nobody") \(password), has one: \(credential.hasPassword)")
        stage.log("persistence \(credential.persistence.rawValue)")
    }

    static func space(_ realm: String?) -> URLProtectionSpace {
        URLProtectionSpace(
            host: "example.com",
            port: 8080,
            protocol: NSURLProtectionSpaceHTTP,
            realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
    }

    private static func proxySpace() -> URLProtectionSpace {
        URLProtectionSpace(
            proxyHost: "proxy.example.com",
            port: 3128,
            type: NSURLProtectionSpaceHTTPProxy,
            realm: nil,
            authenticationMethod: NSURLAuthenticationMethodHTTPDigest
        )
    }

    static func protectionSpaces(_ stage: Stage) {
        for space in [space("notes"), proxySpace()] {
            stage.log("\(space.host):\(space.port) by \(space.protocol ?? "no protocol")")
            stage.log("realm \(space.realm ?? "none"), \(space.authenticationMethod)")
            stage.log("proxy \(space.isProxy()), type \(space.proxyType ?? "none")")
            stage.log("securely \(space.receivesCredentialSecurely)")
            stage.log("described: \(space.description.contains(space.host))")
            let copy = space.copy() as? URLProtectionSpace
            stage.log("copied: \(copy == space)")
            stage.log("zoned: \(space.copy(with: nil) as? URLProtectionSpace == space)")
        }
        stage.log("equal: \(space("notes") == space("notes")), \(space("notes") == space("other"))")
    }

    static func credentialStorage(_ stage: Stage) {
        let storage = URLCredentialStorage()
        let notes = space("notes")
        let ada = URLCredential(user: "ada", password: "lovelace", persistence: .forSession)
        let grace = URLCredential(user: "grace", password: "hopper", persistence: .forSession)
        storage.set(ada, for: notes)
        storage.setDefaultCredential(grace, for: notes)
        stage.log("\(storage.credentials(for: notes)?.keys.sorted() ?? [])")
        stage.log("\(storage.defaultCredential(for: notes)?.user ?? "nobody")")
        stage.log("\(storage.allCredentials.count) spaces")
        stage.log("elsewhere \(storage.credentials(for: space("other"))?.count ?? 0)")
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: stage.url("/text"))
        storage.getCredentials(for: notes, task: task) { credentials in
            stage.log("of the task: \(credentials?.count ?? 0)")
        }
        storage.getDefaultCredential(for: notes, task: task) { credential in
            stage.log("of the task: \(credential?.user ?? "nobody")")
        }
        storage.remove(grace, for: notes)
        stage.log("\(storage.credentials(for: notes)?.keys.sorted() ?? [])")
        stage.log("\(storage.defaultCredential(for: notes)?.user ?? "nobody")")
        storage.remove(ada, for: notes, options: [:])
        stage.log("\(storage.credentials(for: notes)?.count ?? 0)")
        storage.set(ada, for: notes, task: task)
        storage.setDefaultCredential(grace, for: notes, task: task)
        stage.log("\(storage.credentials(for: notes)?.keys.sorted() ?? [])")
        storage.remove(grace, for: notes, options: nil, task: task)
        stage.log("\(storage.credentials(for: notes)?.keys.sorted() ?? [])")
        session.invalidateAndCancel()
    }

    /// Only compiled: it would read the user's credentials.
    static func sharedCredentials() -> URLCredentialStorage {
        .shared
    }
}
