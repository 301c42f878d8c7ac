internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.enabled(if: Certificates.isAvailable))
struct PinningTests {
    private func chains() throws -> CertificateChains { try CertificateChains.shared() }

    /// What libcurl trusts, and what it doesn't.
    private func trust(_ certificates: [Data], isTrusted: Bool = true) -> SecTrust {
        SecTrust(
            host: "localhost",
            certificates: certificates,
            failure: isTrusted ? nil : URLError(.serverCertificateHasUnknownRoot)
        )
    }

    @Test(
        "X-09: Pins don't make up for a chain that isn't trusted",
        arguments: SSLPinningMode.allCases
    )
    func pinsDoNotMakeUpForABadChain(mode: SSLPinningMode) throws {
        let made = try chains()
        let policy = SecurityPolicy(pinningMode: mode, withPinnedCertificates: [made.selfSigned])
        let verdict = policy.verdict(
            on: trust([made.selfSigned], isTrusted: false),
            forDomain: "localhost"
        )
        #expect(verdict == .refused(.unknownAuthority))
    }

    @Test("X-10: A pinned server, authority between or root each lead to trust")
    func anyCertificateOfTheChainMayBePinned() throws {
        let made = try chains()
        let chain = trust([made.leaf, made.intermediate])
        for pin in [made.leaf, made.intermediate, made.root] {
            let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [pin])
            #expect(policy.verdict(on: chain, forDomain: "localhost") == .trusted)
        }
        for pin in [made.otherRoot, made.otherLeaf, made.direct] {
            let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [pin])
            #expect(policy.verdict(on: chain, forDomain: "localhost") == .refused(.pinMismatch))
        }
        let none = SecurityPolicy(pinningMode: .certificate)
        #expect(none.verdict(on: chain, forDomain: "localhost") == .refused(.noPins))
    }

    @Test(
        "X-10: A pinned certificate must be valid and for the host, even if invalid ones are allowed"
    )
    func aPinnedCertificateMustBeValid() throws {
        let made = try chains()
        let pins: Set = [made.selfSigned, made.expired, made.otherHost]
        let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: pins)
        policy.allowInvalidCertificates = true
        func verdict(_ certificate: Data) -> ServerTrustVerdict {
            policy.verdict(on: trust([certificate], isTrusted: false), forDomain: "localhost")
        }
        #expect(verdict(made.selfSigned) == .trusted)
        #expect(verdict(made.expired) == .refused(.expired))
        #expect(verdict(made.otherHost) == .refused(.hostName("localhost")))
        #expect(verdict(made.otherLeaf) == .refused(.pinMismatch))
        policy.validatesDomainName = false
        #expect(verdict(made.otherHost) == .trusted)
        #expect(verdict(made.expired) == .refused(.expired))
    }

    @Test("X-10: A pinned certificate that is only presented proves nothing")
    func aPinnedCertificateThatIsOnlyPresentedProvesNothing() throws {
        let made = try chains()
        let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [made.root])
        for isAllowed in [false, true] {
            policy.allowInvalidCertificates = isAllowed
            let attack = trust([made.otherLeaf, made.otherRoot, made.root])
            #expect(policy.verdict(on: attack, forDomain: "localhost") == .refused(.pinMismatch))
        }
    }

    @Test("X-11: A pinned key of the server, an authority between or the root leads to trust")
    func anyKeyOfTheChainMayBePinned() throws {
        let made = try chains()
        let chain = trust([made.leaf, made.intermediate])
        for pin in [made.leaf, made.intermediate, made.root] {
            let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [pin])
            #expect(policy.verdict(on: chain, forDomain: "localhost") == .trusted)
        }
        for pins: Set<Data> in [[made.otherRoot], [made.direct, made.client]] {
            let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: pins)
            #expect(policy.verdict(on: chain, forDomain: "localhost") == .refused(.pinMismatch))
        }
        let none = SecurityPolicy(pinningMode: .publicKey)
        #expect(none.verdict(on: chain, forDomain: "localhost") == .refused(.noPins))
    }

    @Test("X-11: Keys are compared, whatever else a certificate says")
    func keysAreCompared() throws {
        let made = try chains()
        // Neither valid nor for the host, but its key.
        let policy = SecurityPolicy(
            pinningMode: .publicKey,
            withPinnedCertificates: [made.expired, made.otherHost, made.commonName]
        )
        policy.allowInvalidCertificates = true
        for certificate in [made.expired, made.otherHost, made.commonName] {
            let presented = trust([certificate], isTrusted: false)
            #expect(policy.verdict(on: presented, forDomain: "localhost") == .trusted)
        }
        let other = trust([made.direct], isTrusted: false)
        #expect(policy.verdict(on: other, forDomain: "localhost") == .refused(.pinMismatch))
    }

    @Test("X-11: A pinned certificate that is added to another chain proves nothing")
    func aPinnedKeyThatIsOnlyPresentedProvesNothing() throws {
        let made = try chains()
        for pin in [made.leaf, made.intermediate, made.root] {
            let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [pin])
            for isAllowed in [false, true] {
                policy.allowInvalidCertificates = isAllowed
                let attack = trust([made.otherLeaf, made.otherRoot, pin], isTrusted: true)
                let verdict = policy.verdict(on: attack, forDomain: "localhost")
                #expect(verdict == .refused(.pinMismatch))
            }
        }
    }

    @Test("X-11: What a pinned authority has certified for others isn't trusted")
    func whatIsCertifiedForOthersIsNotTrusted() throws {
        let made = try chains()
        let policy = SecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [made.root])
        policy.allowInvalidCertificates = true
        for certificate in [made.otherHost, made.client] {
            let presented = trust([certificate], isTrusted: false)
            #expect(policy.verdict(on: presented, forDomain: "localhost") == .refused(.pinMismatch))
        }
        // Of its own servers, time matters as little as was asked for.
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

    /// Everybody who has a certificate of a pinned authority could make one for any host.
    @Test("X-11: A certificate that is signed by another server's proves nothing")
    func aCertificateSignedByAServersProvesNothing() throws {
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

    @Test("A-33: Each host has its policy")
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
        #expect(policy.verdict(on: server, forDomain: "localhost") == .refused(.pinMismatch))
        #expect(
            policy.verdict(on: server, forDomain: "else.test") == .refused(.noPolicy("else.test"))
        )
        #expect(policy.verdict(on: server, forDomain: nil) == .refused(.pinMismatch))
        // The same hosts, written otherwise.
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
        #expect(policy.verdict(on: server, forDomain: "localhost") == .trusted)
    }

    @Test("A-33, X-14: A copy of a policy by host has copies of the hosts' policies")
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
