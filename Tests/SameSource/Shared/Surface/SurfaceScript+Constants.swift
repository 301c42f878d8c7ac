import Foundation

extension SurfaceScript {
    /// Strings that programs compare and keep.
    static func names(_ stage: Stage) {
        stage.log(NSURLAuthenticationMethodDefault)
        stage.log(NSURLAuthenticationMethodHTMLForm)
        stage.log(NSURLAuthenticationMethodHTTPBasic)
        stage.log(NSURLAuthenticationMethodHTTPDigest)
        stage.log(NSURLAuthenticationMethodNTLM)
        stage.log(NSURLAuthenticationMethodNegotiate)
        stage.log(NSURLCredentialStorageRemoveSynchronizableCredentials)
        stage.log(NSURLProtectionSpaceHTTP)
        stage.log(NSURLProtectionSpaceHTTPProxy)
        stage.log(NSURLProtectionSpaceHTTPS)
        stage.log(NSURLProtectionSpaceHTTPSProxy)
        stage.log(NSURLProtectionSpaceSOCKSProxy)
        stage.log(URLSessionDownloadTaskResumeData)
        stage.log("\(NSURLSessionTransferSizeUnknown)")
        stage.log(NSNotification.Name.NSHTTPCookieManagerCookiesChanged.rawValue)
        stage.log(NSNotification.Name.NSURLCredentialStorageChanged.rawValue)
    }

    static func tls(_ stage: Stage) {
        let versions: [tls_protocol_version_t] = [
            .TLSv10, .TLSv11, .TLSv12, .TLSv13, .DTLSv10, .DTLSv12,
        ]
        for version in versions {
            stage.log("\(version) \(version.rawValue)")
            let same = tls_protocol_version_t(rawValue: version.rawValue) ?? .TLSv10
            if !hasValue(version, equalTo: same) { stage.log("not itself") }
        }
        stage.log("of 0: \(tls_protocol_version_t(rawValue: 0) == nil)")
        for suite in suites {
            stage.log("\(suite) \(suite.rawValue)")
            let same = tls_ciphersuite_t(rawValue: suite.rawValue) ?? .RSA_WITH_AES_128_CBC_SHA
            if !hasValue(suite, equalTo: same) { stage.log("not itself") }
        }
        stage.log("of 0: \(tls_ciphersuite_t(rawValue: 0) == nil)")
    }

    private static let suites: [tls_ciphersuite_t] = [
        .AES_128_GCM_SHA256,
        .AES_256_GCM_SHA384,
        .CHACHA20_POLY1305_SHA256,
        .ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA,
        .ECDHE_ECDSA_WITH_AES_128_CBC_SHA,
        .ECDHE_ECDSA_WITH_AES_128_CBC_SHA256,
        .ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        .ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
        .ECDHE_ECDSA_WITH_AES_256_CBC_SHA384,
        .ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .ECDHE_RSA_WITH_3DES_EDE_CBC_SHA,
        .ECDHE_RSA_WITH_AES_128_CBC_SHA,
        .ECDHE_RSA_WITH_AES_128_CBC_SHA256,
        .ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .ECDHE_RSA_WITH_AES_256_CBC_SHA,
        .ECDHE_RSA_WITH_AES_256_CBC_SHA384,
        .ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        .RSA_WITH_3DES_EDE_CBC_SHA,
        .RSA_WITH_AES_128_CBC_SHA,
        .RSA_WITH_AES_128_CBC_SHA256,
        .RSA_WITH_AES_128_GCM_SHA256,
        .RSA_WITH_AES_256_CBC_SHA,
        .RSA_WITH_AES_256_CBC_SHA256,
        .RSA_WITH_AES_256_GCM_SHA384,
    ]
}
