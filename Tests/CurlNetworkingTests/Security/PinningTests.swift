internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.enabled(if: Certificates.isAvailable))
struct PinningTests {
    private func chains() throws -> CertificateChains { try CertificateChains.shared() }

    /// A trust object as libcurl has evaluated it.
    private func trust(_ certificates: [Data], isTrusted: Bool = true) -> SecTrust {
        SecTrust(
            host: "localhost",
            certificates: certificates,
            failure: isTrusted ? nil : URLError(.serverCertificateHasUnknownRoot)
        )
    }

    @Test(
        "X-09: Pinning doesn't replace a trusted chain",
        arguments: SSLPinningMode.allCases
    )
    func pinningDoesNotReplaceATrustedChain(mode: SSLPinningMode) throws {
        let made = try chains()
        let policy = SecurityPolicy(pinningMode: mode, withPinnedCertificates: [made.selfSigned])
        let evaluation = policy.evaluation(
            of: trust([made.selfSigned], isTrusted: false),
            forDomain: "localhost"
        )
        #expect(evaluation == .refused(.unknownAuthority))
    }

    @Test("X-10: A pinned server, intermediate or root certificate is trusted")
    func anyCertificateOfTheChainMayBePinned() throws {
        let made = try chains()
        let chain = trust([made.leaf, made.intermediate])
        for pin in [made.leaf, made.intermediate, made.root] {
            let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [pin])
            #expect(policy.evaluation(of: chain, forDomain: "localhost") == .trusted)
        }
        for pin in [made.otherRoot, made.otherLeaf, made.direct] {
            let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [pin])
            #expect(policy.evaluation(of: chain, forDomain: "localhost") == .refused(.pinMismatch))
        }
        let none = SecurityPolicy(pinningMode: .certificate)
        #expect(none.evaluation(of: chain, forDomain: "localhost") == .refused(.noPins))
    }

    @Test("X-10: A pinned certificate must be valid for the host, even if invalid ones are allowed")
    func aPinnedCertificateMustBeValid() throws {
        let made = try chains()
        let pins: Set = [made.selfSigned, made.expired, made.otherHost]
        let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: pins)
        policy.allowInvalidCertificates = true
        func evaluation(_ certificate: Data) -> ServerTrustEvaluation {
            policy.evaluation(of: trust([certificate], isTrusted: false), forDomain: "localhost")
        }
        #expect(evaluation(made.selfSigned) == .trusted)
        #expect(evaluation(made.expired) == .refused(.expired))
        #expect(evaluation(made.otherHost) == .refused(.hostName("localhost")))
        #expect(evaluation(made.otherLeaf) == .refused(.pinMismatch))
        policy.validatesDomainName = false
        #expect(evaluation(made.otherHost) == .trusted)
        #expect(evaluation(made.expired) == .refused(.expired))
    }

    @Test("X-10: A pinned certificate that isn't part of the path isn't enough")
    func pinnedCertificateOutsideThePathIsNotEnough() throws {
        let made = try chains()
        let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [made.root])
        for isAllowed in [false, true] {
            policy.allowInvalidCertificates = isAllowed
            let attack = trust([made.otherLeaf, made.otherRoot, made.root])
            #expect(policy.evaluation(of: attack, forDomain: "localhost") == .refused(.pinMismatch))
        }
    }

    @Test("X-11: A pinned key of the server, an intermediate or the root is trusted")
    func anyKeyOfTheChainMayBePinned() throws {
        let made = try chains()
        let chain = trust([made.leaf, made.intermediate])
        for pin in [made.leaf, made.intermediate, made.root] {
            let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [pin])
            #expect(policy.evaluation(of: chain, forDomain: "localhost") == .trusted)
        }
        for pins: Set<Data> in [[made.otherRoot], [made.direct, made.client]] {
            let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: pins)
            #expect(policy.evaluation(of: chain, forDomain: "localhost") == .refused(.pinMismatch))
        }
        let none = SecurityPolicy(pinningMode: .publicKey)
        #expect(none.evaluation(of: chain, forDomain: "localhost") == .refused(.noPins))
    }

    @Test("X-11: Keys are compared, regardless of the certificates' other fields")
    func keysAreCompared() throws {
        let made = try chains()
        // Invalid or for another host, but with the pinned key.
        let policy = SecurityPolicy(
            pinningMode: .publicKey,
            withPinnedCertificates: [made.expired, made.otherHost, made.commonName]
        )
        policy.allowInvalidCertificates = true
        for certificate in [made.expired, made.otherHost, made.commonName] {
            let presented = trust([certificate], isTrusted: false)
            #expect(policy.evaluation(of: presented, forDomain: "localhost") == .trusted)
        }
        let other = trust([made.direct], isTrusted: false)
        #expect(policy.evaluation(of: other, forDomain: "localhost") == .refused(.pinMismatch))
    }

    @Test("X-11: A pinned certificate added to another chain isn't enough")
    func pinnedKeyOutsideThePathIsNotEnough() throws {
        let made = try chains()
        for pin in [made.leaf, made.intermediate, made.root] {
            let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [pin])
            for isAllowed in [false, true] {
                policy.allowInvalidCertificates = isAllowed
                let attack = trust([made.otherLeaf, made.otherRoot, pin], isTrusted: true)
                let evaluation = policy.evaluation(of: attack, forDomain: "localhost")
                #expect(evaluation == .refused(.pinMismatch))
            }
        }
    }

    @Test("X-11: A pinned authority's certificates for other hosts or purposes aren't trusted")
    func certificateForOtherHostIsNotTrusted() throws {
        let made = try chains()
        let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [made.root])
        policy.allowInvalidCertificates = true
        for certificate in [made.otherHost, made.client] {
            let presented = trust([certificate], isTrusted: false)
            #expect(
                policy.evaluation(of: presented, forDomain: "localhost") == .refused(.pinMismatch)
            )
        }
        // For its own servers, allowing invalid certificates also allows expired ones.
        #expect(
            policy.evaluateServerTrust(
                trust([made.expired], isTrusted: false),
                forDomain: "localhost"
            )
        )
        policy.validatesDomainName = false
        #expect(
            policy.evaluateServerTrust(
                trust([made.otherHost], isTrusted: false),
                forDomain: "localhost"
            )
        )
    }

    /// Otherwise any holder of a certificate from a pinned authority could issue one for any host.
    @Test("X-11: A certificate signed by a server's certificate isn't trusted")
    func certificateSignedByServerCertificateIsNotTrusted() throws {
        let made = try chains()
        for mode in [SSLPinningMode.publicKey, .certificate] {
            let policy = SecurityPolicy(pinningMode: mode, withPinnedCertificates: [made.root])
            policy.allowInvalidCertificates = true
            let attack = trust([made.forged, made.direct, made.root], isTrusted: false)
            #expect(!policy.evaluateServerTrust(attack, forDomain: "localhost"))
            let honest = trust([made.direct], isTrusted: false)
            #expect(policy.evaluateServerTrust(honest, forDomain: "localhost"))
        }
    }

    @Test("A-33: Each host has its own policy")
    func eachHostHasItsPolicy() throws {
        let made = try chains()
        let pinned = SecurityPolicy(
            pinningMode: .certificate,
            withPinnedCertificates: [made.otherRoot]
        )
        let policy = PerHostSecurityPolicy(policies: [
            "LocalHost": pinned, "*.example.com": SecurityPolicy(), "*.b.example.com": pinned,
        ])
        let server = trust([made.direct])
        #expect(policy.evaluation(of: server, forDomain: "localhost") == .refused(.pinMismatch))
        #expect(
            policy.evaluation(of: server, forDomain: "else.test")
                == .refused(.noPolicy("else.test"))
        )
        #expect(policy.evaluation(of: server, forDomain: nil) == .refused(.pinMismatch))
        // Other spellings of the same hosts.
        #expect(policy.policy(forHost: "LocalHost.") === pinned)
        #expect(policy.policy(forHost: "a.b.example.com.") === pinned)
        policy.policies["::1"] = pinned
        #expect(policy.policy(forHost: "[::1]") === pinned)
        #expect(policy.policy(forHost: "a.EXAMPLE.com") === policy.policies["*.example.com"])
        #expect(policy.policy(forHost: "x.a.example.com") === policy.policies["*.example.com"])
        #expect(policy.policy(forHost: "a.b.example.com") === pinned)
        #expect(policy.policy(forHost: "example.com") == nil)
        #expect(policy.policy(forHost: "") == nil)
        policy.allHostsMustBeEvaluated = false
        policy.policies["localhost"] = nil
        #expect(policy.evaluation(of: server, forDomain: "localhost") == .trusted)
    }

    @Test("A-33, X-14: Copying a per-host policy copies the hosts' policies")
    func aCopyByHostHasCopies() {
        let own = SecurityPolicy(pinningMode: .publicKey)
        let policy = PerHostSecurityPolicy(policies: ["a": own], allHostsMustBeEvaluated: false)
        let copy = policy.copy()
        own.allowInvalidCertificates = true
        #expect(copy.policies["a"]?.sslPinningMode == .publicKey)
        #expect(copy.policies["a"]?.allowInvalidCertificates == false)
        #expect(!copy.allHostsMustBeEvaluated)
    }
}
