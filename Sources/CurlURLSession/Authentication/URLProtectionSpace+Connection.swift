extension URLProtectionSpace {
    /// Whether what is asked for concerns a whole connection rather than one request, so that the
    /// session's delegate is asked before the task's.
    var concernsConnections: Bool {
        switch authenticationMethod {
        case NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
            NSURLAuthenticationMethodClientCertificate, NSURLAuthenticationMethodServerTrust:
            true
        default:
            false
        }
    }
}
