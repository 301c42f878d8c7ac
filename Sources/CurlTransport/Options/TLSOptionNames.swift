internal import Curl

/// libcurl's TLS options for connections to servers, or for those to proxies.
struct TLSOptionNames {
    let caInfo: EasyOption<String?>
    let caInfoBytes: EasyOption<[UInt8]>
    let caPath: EasyOption<String?>
    let version: EasyOption<Int>
    let verifyPeer: EasyOption<Bool>
    let verifyHost: EasyOption<Int>
    let pinnedPublicKey: EasyOption<String?>
    let cipherList: EasyOption<String?>
    let tls13Ciphers: EasyOption<String?>
    /// Nil for proxies: libcurl has no such option.
    let curves: EasyOption<String?>?
    let certificate: EasyOption<String?>
    let certificateType: EasyOption<String?>
    let certificateBytes: EasyOption<[UInt8]>
    let key: EasyOption<String?>
    let keyBytes: EasyOption<[UInt8]>
    let keyPassword: EasyOption<String?>
    /// Nil for proxies: libcurl has no such option.
    let certificateInfo: EasyOption<Bool>?

    static var server: TLSOptionNames {
        TLSOptionNames(
            caInfo: .caInfo,
            caInfoBytes: .caInfoBlob,
            caPath: .caPath,
            version: .sslVersion,
            verifyPeer: .sslVerifyPeer,
            verifyHost: .sslVerifyHost,
            pinnedPublicKey: .pinnedPublicKey,
            cipherList: .sslCipherList,
            tls13Ciphers: .tls13Ciphers,
            curves: .sslCurves,
            certificate: .sslCertificate,
            certificateType: .sslCertificateType,
            certificateBytes: .sslCertificateBlob,
            key: .sslKey,
            keyBytes: .sslKeyBlob,
            keyPassword: .keyPassword,
            certificateInfo: .certInfo
        )
    }

    static var proxy: TLSOptionNames {
        TLSOptionNames(
            caInfo: .proxyCAInfo,
            caInfoBytes: .proxyCAInfoBlob,
            caPath: .proxyCAPath,
            version: .proxySSLVersion,
            verifyPeer: .proxySSLVerifyPeer,
            verifyHost: .proxySSLVerifyHost,
            pinnedPublicKey: .proxyPinnedPublicKey,
            cipherList: .proxySSLCipherList,
            tls13Ciphers: .proxyTLS13Ciphers,
            curves: nil,
            certificate: .proxySSLCertificate,
            certificateType: .proxySSLCertificateType,
            certificateBytes: .proxySSLCertificateBlob,
            key: .proxySSLKey,
            keyBytes: .proxySSLKeyBlob,
            keyPassword: .proxyKeyPassword,
            certificateInfo: nil
        )
    }
}
