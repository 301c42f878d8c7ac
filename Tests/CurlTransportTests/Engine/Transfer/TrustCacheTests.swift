import Posix
import Testing

@testable import CurlTransport

struct TrustCacheTests {
    private let chain = VerifiedChain(
        origin: "https://a:1",
        certificates: ["leaf", "root"],
        roots: .system
    )
    private let failure = VerificationFailure(verifyResult: 18, text: "self-signed certificate")
    private let now = MonotonicTime.now

    @Test("A verification failure is cached only for the same chain, origin and roots")
    func failureIsRememberedOnlyForSameChain() {
        var cache = TrustCache()
        #expect(cache.failure(of: chain, at: now) == nil)
        cache.accepted(chain, failure, at: now)
        #expect(cache.failure(of: chain, at: now) == failure)
        for (origin, certificates, roots) in [
            ("https://b:1", ["leaf", "root"], TrustRoots.system),
            ("https://a:1", ["leaf"], .system), ("https://a:1", ["leaf", "root"], .file("x")),
        ] {
            let other = VerifiedChain(origin: origin, certificates: certificates, roots: roots)
            #expect(cache.failure(of: other, at: now) == nil)
        }
    }

    @Test("A cached verification failure expires after a minute; its origin stays lenient")
    func failureIsForgottenAfterAMinute() {
        var cache = TrustCache()
        cache.accepted(chain, failure, at: now)
        let later = now.advanced(byNanoseconds: TrustCache.lifetime)
        #expect(cache.failure(of: chain, at: later.advanced(byNanoseconds: -1)) == failure)
        #expect(cache.failure(of: chain, at: later) == nil)
        #expect(cache.isLenient(chain.origin))
    }

    @Test("An origin is no longer lenient after its server is verified")
    func verifiedOriginIsNotLenient() {
        var cache = TrustCache()
        #expect(!cache.isLenient(chain.origin))
        cache.accepted(chain.origin)
        #expect(cache.isLenient(chain.origin))
        cache.verified(chain.origin)
        #expect(!cache.isLenient(chain.origin))
    }

    @Test("The bytes of cached certificates are limited")
    func certificateBytesAreLimited() {
        var cache = TrustCache()
        for number in 0..<300 {
            // A chain as long as OpenSSL accepts.
            let chain = VerifiedChain(
                origin: "https://a:1",
                certificates: ["\(number)", String(repeating: "a", count: 130_000)],
                roots: .system
            )
            for _ in 0..<2 { cache.accepted(chain, failure, at: now) }
            #expect(cache.failure(of: chain, at: now) == failure)
            #expect(cache.certificateBytes <= TrustCache.maximumCertificateBytes)
        }
        #expect(cache.certificateBytes > 0)
    }

    @Test("The cache evicts the oldest origin when it is full")
    func oldestOriginIsEvictedWhenFull() {
        var cache = TrustCache()
        for number in 0...4096 {
            let chain = VerifiedChain(origin: "\(number)", certificates: [], roots: .system)
            cache.accepted(chain, failure, at: now)
        }
        #expect(!cache.isLenient("0"))
        #expect(cache.isLenient("4096"))
    }
}
