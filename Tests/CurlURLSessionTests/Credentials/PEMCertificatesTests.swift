internal import CurlURLSession
internal import Foundation
internal import Testing

@Suite struct PEMCertificatesTests {
    @Test func certificatesAreFoundBetweenTheirMarkers() {
        let text = """
            subject=CN = one
            -----BEGIN CERTIFICATE-----
            AQID
            BAUG
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            CQkJ
            -----END PRIVATE KEY-----
            -----BEGIN X509 CERTIFICATE-----\r
            Bwg=\r
            -----END X509 CERTIFICATE-----\r

            """
        #expect(PEMCertificates.decoded(text) == [Data([1, 2, 3, 4, 5, 6]), Data([7, 8])])
    }

    @Test func unterminatedCertificateIsIgnored() {
        #expect(PEMCertificates.decoded("-----BEGIN CERTIFICATE-----\nAQID\n").isEmpty)
        #expect(PEMCertificates.decoded("").isEmpty)
        #expect(PEMCertificates.decoded("-----END CERTIFICATE-----").isEmpty)
    }
}
