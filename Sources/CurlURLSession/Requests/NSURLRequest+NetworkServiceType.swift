extension NSURLRequest {
    /// What a request's traffic is for.
    public enum NetworkServiceType: UInt, Sendable {
        /// Ordinary traffic.
        case `default`
        /// The control traffic of voice over IP.
        case voip
        /// Video.
        case video
        /// What nobody is waiting for.
        case background
        /// Voice.
        case voice
        /// The signalling of calls.
        case networkServiceTypeCallSignaling
    }
}
