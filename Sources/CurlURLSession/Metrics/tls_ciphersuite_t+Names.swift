extension tls_ciphersuite_t {
    /// The suite that a TLS library names so: by OpenSSL's name or IANA's; nil for any other suite.
    init?(name: String) {
        guard let suite = Self.byName[name] else { return nil }
        self = suite
    }

    private static let byName: [String: tls_ciphersuite_t] = {
        var names = openSSLNames
        for suite in openSSLNames.values { names["TLS_\(suite)"] = suite }
        return names
    }()

    /// See <https://docs.openssl.org/3.0/man1/openssl-ciphers/>, "Cipher suite names".
    private static let openSSLNames: [String: tls_ciphersuite_t] = [
        "TLS_AES_128_GCM_SHA256": .AES_128_GCM_SHA256,
        "TLS_AES_256_GCM_SHA384": .AES_256_GCM_SHA384,
        "TLS_CHACHA20_POLY1305_SHA256": .CHACHA20_POLY1305_SHA256,
        "ECDHE-ECDSA-DES-CBC3-SHA": .ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA,
        "ECDHE-ECDSA-AES128-SHA": .ECDHE_ECDSA_WITH_AES_128_CBC_SHA,
        "ECDHE-ECDSA-AES128-SHA256": .ECDHE_ECDSA_WITH_AES_128_CBC_SHA256,
        "ECDHE-ECDSA-AES128-GCM-SHA256": .ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        "ECDHE-ECDSA-AES256-SHA": .ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
        "ECDHE-ECDSA-AES256-SHA384": .ECDHE_ECDSA_WITH_AES_256_CBC_SHA384,
        "ECDHE-ECDSA-AES256-GCM-SHA384": .ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        "ECDHE-ECDSA-CHACHA20-POLY1305": .ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        "ECDHE-RSA-DES-CBC3-SHA": .ECDHE_RSA_WITH_3DES_EDE_CBC_SHA,
        "ECDHE-RSA-AES128-SHA": .ECDHE_RSA_WITH_AES_128_CBC_SHA,
        "ECDHE-RSA-AES128-SHA256": .ECDHE_RSA_WITH_AES_128_CBC_SHA256,
        "ECDHE-RSA-AES128-GCM-SHA256": .ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        "ECDHE-RSA-AES256-SHA": .ECDHE_RSA_WITH_AES_256_CBC_SHA,
        "ECDHE-RSA-AES256-SHA384": .ECDHE_RSA_WITH_AES_256_CBC_SHA384,
        "ECDHE-RSA-AES256-GCM-SHA384": .ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        "ECDHE-RSA-CHACHA20-POLY1305": .ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        "DES-CBC3-SHA": .RSA_WITH_3DES_EDE_CBC_SHA,
        "AES128-SHA": .RSA_WITH_AES_128_CBC_SHA,
        "AES128-SHA256": .RSA_WITH_AES_128_CBC_SHA256,
        "AES128-GCM-SHA256": .RSA_WITH_AES_128_GCM_SHA256,
        "AES256-SHA": .RSA_WITH_AES_256_CBC_SHA,
        "AES256-SHA256": .RSA_WITH_AES_256_CBC_SHA256,
        "AES256-GCM-SHA384": .RSA_WITH_AES_256_GCM_SHA384,
    ]
}
