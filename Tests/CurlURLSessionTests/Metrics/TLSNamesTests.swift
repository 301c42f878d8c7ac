import CurlTransport
import Testing

@testable import CurlURLSession

struct TLSNamesTests {
    /// IANA's numbers and OpenSSL's names.
    static let suites: [(number: UInt16, name: String, suite: tls_ciphersuite_t)] = [
        (4865, "TLS_AES_128_GCM_SHA256", .AES_128_GCM_SHA256),
        (4866, "TLS_AES_256_GCM_SHA384", .AES_256_GCM_SHA384),
        (4867, "TLS_CHACHA20_POLY1305_SHA256", .CHACHA20_POLY1305_SHA256),
        (49160, "ECDHE-ECDSA-DES-CBC3-SHA", .ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA),
        (49161, "ECDHE-ECDSA-AES128-SHA", .ECDHE_ECDSA_WITH_AES_128_CBC_SHA),
        (49187, "ECDHE-ECDSA-AES128-SHA256", .ECDHE_ECDSA_WITH_AES_128_CBC_SHA256),
        (49195, "ECDHE-ECDSA-AES128-GCM-SHA256", .ECDHE_ECDSA_WITH_AES_128_GCM_SHA256),
        (49162, "ECDHE-ECDSA-AES256-SHA", .ECDHE_ECDSA_WITH_AES_256_CBC_SHA),
        (49188, "ECDHE-ECDSA-AES256-SHA384", .ECDHE_ECDSA_WITH_AES_256_CBC_SHA384),
        (49196, "ECDHE-ECDSA-AES256-GCM-SHA384", .ECDHE_ECDSA_WITH_AES_256_GCM_SHA384),
        (52393, "ECDHE-ECDSA-CHACHA20-POLY1305", .ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256),
        (49170, "ECDHE-RSA-DES-CBC3-SHA", .ECDHE_RSA_WITH_3DES_EDE_CBC_SHA),
        (49171, "ECDHE-RSA-AES128-SHA", .ECDHE_RSA_WITH_AES_128_CBC_SHA),
        (49191, "ECDHE-RSA-AES128-SHA256", .ECDHE_RSA_WITH_AES_128_CBC_SHA256),
        (49199, "ECDHE-RSA-AES128-GCM-SHA256", .ECDHE_RSA_WITH_AES_128_GCM_SHA256),
        (49172, "ECDHE-RSA-AES256-SHA", .ECDHE_RSA_WITH_AES_256_CBC_SHA),
        (49192, "ECDHE-RSA-AES256-SHA384", .ECDHE_RSA_WITH_AES_256_CBC_SHA384),
        (49200, "ECDHE-RSA-AES256-GCM-SHA384", .ECDHE_RSA_WITH_AES_256_GCM_SHA384),
        (52392, "ECDHE-RSA-CHACHA20-POLY1305", .ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256),
        (10, "DES-CBC3-SHA", .RSA_WITH_3DES_EDE_CBC_SHA),
        (47, "AES128-SHA", .RSA_WITH_AES_128_CBC_SHA),
        (60, "AES128-SHA256", .RSA_WITH_AES_128_CBC_SHA256),
        (156, "AES128-GCM-SHA256", .RSA_WITH_AES_128_GCM_SHA256),
        (53, "AES256-SHA", .RSA_WITH_AES_256_CBC_SHA),
        (61, "AES256-SHA256", .RSA_WITH_AES_256_CBC_SHA256),
        (157, "AES256-GCM-SHA384", .RSA_WITH_AES_256_GCM_SHA384),
    ]

    @Test func suitesHaveTheirNumbersAndNames() {
        for (number, name, suite) in Self.suites {
            #expect(suite.rawValue == number)
            #expect(tls_ciphersuite_t(rawValue: number) == suite)
            #expect(tls_ciphersuite_t(name: name) == suite)
            #expect(tls_ciphersuite_t(name: "TLS_\(suite)") == suite)
        }
        #expect(Set(Self.suites.map(\.suite)).count == 26)
        for name in ["", "TLS_", "AES", "aes128-sha", "TLS_AES_128_CCM_SHA256"] {
            #expect(tls_ciphersuite_t(name: name) == nil)
        }
    }

    @Test(
        arguments: [
            (tls_protocol_version_t.TLSv10, 769, "TLSv1"), (.TLSv11, 770, "TLSv1.1"),
            (.TLSv12, 771, "TLSv1.2"), (.TLSv13, 772, "TLSv1.3"), (.DTLSv10, 65279, "DTLSv1"),
            (.DTLSv12, 65277, "DTLSv1.2"),
        ] as [(tls_protocol_version_t, UInt16, String)]
    )
    func versionsHaveTheirNumbersAndNames(
        version: tls_protocol_version_t,
        number: UInt16,
        name: String
    ) {
        #expect(version.rawValue == number)
        #expect(tls_protocol_version_t(rawValue: number) == version)
        #expect(tls_protocol_version_t(name: name) == version)
        #expect(tls_protocol_version_t(name: name + "x") == nil)
    }
}
