/// The protocol of a protection space: HTTP.
public let NSURLProtectionSpaceHTTP: String = "NSURLProtectionSpaceHTTP"

/// The protocol of a protection space: HTTPS.
public let NSURLProtectionSpaceHTTPS: String = "NSURLProtectionSpaceHTTPS"

/// The protocol of a protection space: FTP, which isn't spoken here.
public let NSURLProtectionSpaceFTP: String = "NSURLProtectionSpaceFTP"

/// The type of a proxy: one for HTTP.
public let NSURLProtectionSpaceHTTPProxy: String = "NSURLProtectionSpaceHTTPProxy"

/// The type of a proxy: one for HTTPS.
public let NSURLProtectionSpaceHTTPSProxy: String = "NSURLProtectionSpaceHTTPSProxy"

/// The type of a proxy: one for FTP, which isn't spoken here.
public let NSURLProtectionSpaceFTPProxy: String = "NSURLProtectionSpaceFTPProxy"

/// The type of a proxy: SOCKS.
public let NSURLProtectionSpaceSOCKSProxy: String = "NSURLProtectionSpaceSOCKSProxy"

/// The method that a protocol authenticates with by default.
public let NSURLAuthenticationMethodDefault: String = "NSURLAuthenticationMethodDefault"

/// Basic (RFC 7617): the password is sent as it is.
public let NSURLAuthenticationMethodHTTPBasic: String = "NSURLAuthenticationMethodHTTPBasic"

/// Digest (RFC 7616): a hash of the password is sent.
public let NSURLAuthenticationMethodHTTPDigest: String = "NSURLAuthenticationMethodHTTPDigest"

/// A form in a page: the password is sent as it is.
public let NSURLAuthenticationMethodHTMLForm: String = "NSURLAuthenticationMethodHTMLForm"

/// NTLM: a response to a challenge is sent.
public let NSURLAuthenticationMethodNTLM: String = "NSURLAuthenticationMethodNTLM"

/// Negotiate (RFC 4559): a ticket is sent.
public let NSURLAuthenticationMethodNegotiate: String = "NSURLAuthenticationMethodNegotiate"

/// A certificate of the client's, within TLS.
public let NSURLAuthenticationMethodClientCertificate: String =
    "NSURLAuthenticationMethodClientCertificate"

/// Whether the server's certificate is trusted.
public let NSURLAuthenticationMethodServerTrust: String = "NSURLAuthenticationMethodServerTrust"
