internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// Policies without pinned certificates, and properties common to all policies.
@Suite(.enabled(if: Certificates.isAvailable))
struct SecurityPolicyTests {
    private func chains() throws -> CertificateChains { try CertificateChains.shared() }

    @Test("X-01: Pinning modes have AFNetworking's raw values")
    func theModesHaveTheirNumbers() {
        #expect(SSLPinningMode.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(SSLPinningMode.none.rawValue == 0)
        #expect(SSLPinningMode.publicKey.rawValue == 1)
        #expect(SSLPinningMode.certificate.rawValue == 2)
    }

    @Test("X-02, X-03: The default policy pins nothing and validates host names")
    func theDefaultPolicyPinsNothing() {
        for policy in [SecurityPolicy(), .default(), SecurityPolicy(pinningMode: .none)] {
            #expect(policy.sslPinningMode == .none)
            #expect(!policy.allowInvalidCertificates)
            #expect(policy.validatesDomainName)
            #expect(policy.pinnedCertificates == [])
        }
        #expect(SecurityPolicy.default() !== SecurityPolicy.default())
        #expect(SecurityPolicy(pinningMode: .certificate).pinnedCertificates == [])
    }

    @Test("X-08: A chain to a trusted root is trusted, and a rejection has its reason")
    func aChainThatLeadsToARootIsTrusted() throws {
        let made = try chains()
        let policy = SecurityPolicy()
        // With a date, the policy verifies the chain again.
        policy.verificationDate = Date()
        func evaluation(_ certificates: [Data]) -> ServerTrustEvaluation {
            let trust = SecTrust(host: "localhost", certificates: certificates, roots: [made.root])
            return policy.evaluation(of: trust, forDomain: "localhost")
        }
        #expect(evaluation([made.leaf, made.intermediate]) == .trusted)
        #expect(evaluation([made.leaf, made.intermediate, made.root]) == .trusted)
        #expect(evaluation([made.direct]) == .trusted)
        #expect(evaluation([made.leaf]) == .refused(.unknownAuthority))
        #expect(evaluation([made.otherLeaf, made.otherRoot]) == .refused(.unknownAuthority))
        #expect(evaluation([made.selfSigned]) == .refused(.unknownAuthority))
        #expect(evaluation([made.expired]) == .refused(.expired))
        #expect(evaluation([made.notYetValid]) == .refused(.notYetValid))
        #expect(evaluation([made.otherHost]) == .refused(.hostName("localhost")))
        #expect(evaluation([]) == .refused(.noCertificate))
        #expect(evaluation([Data([1, 2, 3])]) == .refused(.noCertificate))
        #expect(!evaluation([made.forged, made.direct]).isTrusted)
        // The purpose must be server authentication.
        #expect(evaluation([made.client]).failure != nil)
    }

    @Test("X-08, X-16: libcurl's result is used if it verified the same properties")
    func libcurlsVerificationIsUsedWhenEqual() throws {
        let made = try chains()
        let policy = SecurityPolicy()
        // Without a root, the policy itself can't verify the chain.
        let approved = SecTrust(host: "localhost", certificates: [made.direct])
        #expect(policy.evaluateServerTrust(approved, forDomain: "localhost"))
        #expect(policy.evaluateServerTrust(approved, forDomain: "LOCALHOST."))
        #expect(policy.evaluateServerTrust(approved, forDomain: nil))
        #expect(!policy.evaluateServerTrust(approved, forDomain: "other.test"))
        // libcurl was configured not to verify.
        let unseen = SecTrust(host: "localhost", certificates: [made.direct], isVerified: false)
        let ownEvaluation = policy.evaluation(of: unseen, forDomain: "localhost")
        #expect(ownEvaluation == .refused(.unknownAuthority))
        // A chain that libcurl rejected stays rejected, even if the policy itself finds no fault.
        let refused = SecTrust(
            host: "localhost",
            certificates: [made.direct],
            failure: URLError(.serverCertificateUntrusted),
            roots: [made.root]
        )
        let evaluation = policy.evaluation(of: refused, forDomain: "localhost")
        guard case .refused(.other) = evaluation else {
            Issue.record("\(evaluation)")
            return
        }
    }

    @Test("X-08: Invalid certificates are trusted if they are allowed")
    func invalidCertificatesAreTrustedWhereTheyAreAllowed() throws {
        let made = try chains()
        let policy = SecurityPolicy()
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
        for certificate in [made.selfSigned, made.expired, made.otherHost] {
            let trust = SecTrust(
                host: "localhost",
                certificates: [certificate],
                failure: URLError(.serverCertificateUntrusted)
            )
            #expect(policy.evaluateServerTrust(trust, forDomain: "localhost"))
        }
    }

    @Test("X-06: If invalid certificates are allowed, validating host names requires pins")
    func hostNameValidationRequiresPinsWhenInvalidIsAllowed() throws {
        let made = try chains()
        let trust = SecTrust(host: "localhost", certificates: [made.direct], roots: [made.root])
        for mode in SSLPinningMode.allCases {
            let policy = SecurityPolicy(pinningMode: mode)
            policy.allowInvalidCertificates = true
            let evaluation = policy.evaluation(of: trust, forDomain: "localhost")
            #expect(evaluation == .refused(.pinningRequired))
            // Without a host name there is nothing to validate.
            let nameless = policy.evaluation(of: trust, forDomain: nil)
            #expect(nameless == (mode == .none ? .trusted : .refused(.noPins)))
        }
        #expect(
            ServerTrustFailure.pinningRequired.errorDescription == "In order to validate a domain "
                + "name for self signed certificates, you MUST use pinning."
        )
    }

    @Test("X-07: Without host name validation, any host name is accepted")
    func anyHostIsAcceptedWithoutNameValidation() throws {
        let made = try chains()
        let policy = SecurityPolicy()
        policy.verificationDate = Date()
        let trust = SecTrust(
            host: "localhost",
            certificates: [made.otherHost],
            failure: URLError(.serverCertificateUntrusted),
            failsByName: true,
            roots: [made.root]
        )
        #expect(!policy.evaluateServerTrust(trust, forDomain: "localhost"))
        #expect(policy.evaluateServerTrust(trust, forDomain: nil))
        policy.validatesDomainName = false
        #expect(policy.evaluateServerTrust(trust, forDomain: "localhost"))
        // Nor is the purpose checked, but the root is.
        let client = SecTrust(host: "localhost", certificates: [made.client], roots: [made.root])
        #expect(policy.evaluateServerTrust(client, forDomain: "localhost"))
        let stranger = SecTrust(
            host: "localhost",
            certificates: [made.otherLeaf],
            roots: [made.root]
        )
        #expect(!policy.evaluateServerTrust(stranger, forDomain: "localhost"))
    }

    @Test("X-12: A common name doesn't count as a host name")
    func commonNameIsNoHostName() throws {
        let made = try chains()
        let policy = SecurityPolicy()
        policy.verificationDate = Date()
        let trust = SecTrust(host: "localhost", certificates: [made.commonName], roots: [made.root])
        #expect(
            policy.evaluation(of: trust, forDomain: "localhost") == .refused(.hostName("localhost"))
        )
        policy.validatesDomainName = false
        #expect(policy.evaluateServerTrust(trust, forDomain: "localhost"))
    }

    @Test("X-16: IP addresses are validated as names, and the verification date can be set")
    func addressesAndTimes() throws {
        let made = try chains()
        let policy = SecurityPolicy()
        policy.verificationDate = Date()
        let trust = SecTrust(host: "127.0.0.1", certificates: [made.direct], roots: [made.root])
        for host in ["127.0.0.1", "::1", "[::1]", "localhost"] {
            #expect(policy.evaluateServerTrust(trust, forDomain: host), "\(host)")
        }
        for host in [
            "127.0.0.2", "::2", "local", "host", "", ".", "[]", ".host", "localhost\0.test",
        ] {
            #expect(!policy.evaluateServerTrust(trust, forDomain: host), "\(host)")
        }
        // At the date in the past the root wasn't valid yet; a pinned certificate needs no root.
        let old = SecTrust(
            host: "localhost",
            certificates: [made.expired],
            failure: URLError(.serverCertificateHasBadDate)
        )
        let pinned = SecurityPolicy(
            pinningMode: .certificate,
            withPinnedCertificates: [made.expired]
        )
        pinned.allowInvalidCertificates = true
        #expect(pinned.evaluation(of: old, forDomain: "localhost") == .refused(.expired))
        pinned.verificationDate = made.past
        #expect(pinned.evaluation(of: old, forDomain: "localhost") == .trusted)
        policy.verificationDate = made.past
        #expect(policy.evaluation(of: trust, forDomain: "localhost") == .refused(.notYetValid))
    }

    @Test("X-14: A copy has all settings, and they can be encoded")
    func aCopyHasAllSettings() throws {
        let made = try chains()
        let policy = SecurityPolicy(
            pinningMode: .publicKey,
            withPinnedCertificates: [made.root, made.leaf]
        )
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
        policy.verificationDate = made.past
        let copy = policy.copy()
        #expect(copy !== policy)
        #expect(copy.settings == policy.settings)
        let stored = try JSONEncoder().encode(policy.settings)
        let read = try JSONDecoder().decode(SecurityPolicySettings.self, from: stored)
        #expect(read == policy.settings)
        #expect(SecurityPolicy(settings: read).sslPinningMode == .publicKey)
        copy.pinnedCertificates = nil
        #expect(policy.pinnedCertificates?.count == 2)
    }

    @Test("X-15, S-43: The error is the URL loading system's, and says which check failed")
    func errorIsTheURLLoadingSystems() throws {
        let made = try chains()
        let trust = SecTrust(host: "localhost", certificates: [made.expired])
        let url = try #require(URL(string: "https://localhost/x"))
        let error = NSError.untrustedServer(.expired, trust: trust, url: url)
        #expect(error.domain == "NSURLErrorDomain")
        #expect(error.code == -1202)
        #expect(
            error.localizedDescription
                == "The certificate for this server is invalid. You might be "
                + "connecting to a server that is pretending to be “localhost” which could put your "
                + "confidential information at risk."
        )
        #expect(error.userInfo[NSURLErrorFailingURLPeerTrustErrorKey] as? SecTrust === trust)
        #expect(error.userInfo[NSURLErrorFailingURLErrorKey] as? URL == url)
        #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == url.absoluteString)
        #expect(error.localizedFailureReason == "A certificate of the server has expired.")
        let sorted = NetworkingError(error)
        #expect(sorted.kind == .serverTrust(.expired))
        #expect(sorted.isServerTrust)
        #expect(sorted.underlyingError as? ServerTrustFailure == .expired)
        let bare = NSError.untrustedServer(nil, trust: nil, url: nil)
        #expect(bare.localizedDescription.contains("“(null)”"))
        #expect(bare.userInfo.count == 1)
    }

    @Test("X-05: Unreadable certificates are skipped and listed")
    func certificatesThatCanNotBeReadAreNamed() throws {
        let made = try chains()
        let policy = SecurityPolicy(pinningMode: .certificate)
        let cut = made.root.dropLast()
        let long = made.root + Data([0])
        policy.pinnedCertificates = [made.root, Data(cut), long, Data()]
        #expect(policy.settings.unreadableCertificates == [Data(cut), long, Data()])
        let trust = SecTrust(host: "localhost", certificates: [made.direct])
        #expect(policy.evaluateServerTrust(trust, forDomain: "localhost"))
        policy.pinnedCertificates = nil
        #expect(policy.evaluation(of: trust, forDomain: "localhost") == .refused(.noPins))
    }

    @Test("X-03, X-04: Certificates are read from a folder, as DER and as PEM")
    func certificatesAreReadFromAFolder() throws {
        let made = try chains()
        let folder = try TemporaryDirectory()
        try folder.write([UInt8](made.root), to: "root.cer")
        try folder.write([UInt8](made.leaf), to: "leaf.DER")
        let pem = { (data: Data) in
            "-----BEGIN CERTIFICATE-----\n\(data.base64EncodedString(options: .lineLength64Characters))"
                + "\n-----END CERTIFICATE-----\n"
        }
        try folder.write(pem(made.otherRoot) + pem(made.otherLeaf), to: "two.pem")
        try folder.write("nonsense", to: "bad.crt")
        try folder.write(pem(made.direct) + pem(Data([1, 2])), to: "half.pem")
        try folder.write("nonsense", to: "README")
        try FileManager.default.createDirectory(
            atPath: folder.path("sub.pem"),
            withIntermediateDirectories: false
        )
        let found = try SecurityPolicy.certificates(
            inDirectory: URL(fileURLWithPath: folder.path)
        )
        #expect(
            found.certificates == [
                made.root, made.leaf, made.otherRoot, made.otherLeaf, made.direct,
            ]
        )
        let names = Set(found.unreadable.keys.map(\.lastPathComponent))
        #expect(names == ["bad.crt", "half.pem", "sub.pem"])
        #expect(throws: (any Error).self) {
            _ = try SecurityPolicy.certificates(
                inDirectory: URL(fileURLWithPath: folder.path("none"))
            )
        }
    }
}
