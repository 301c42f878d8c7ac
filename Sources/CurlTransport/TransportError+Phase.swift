extension TransportError {
    /// How far a transfer had come when it failed.
    ///
    /// More may be added in later versions, so a `switch` needs a `default`. The description is
    /// the name, which never changes.
    public struct Phase: Sendable, Hashable, CustomStringConvertible {
        enum Value: String, Sendable, CaseIterable {
            case queued
            case dns
            case tcp
            case proxy
            case tls
            case sending
            case waiting
            case receiving
            case decoding
            case done
        }

        let value: Value

        private init(_ value: Value) {
            self.value = value
        }

        /// The name, such as `tls`.
        public var description: String { value.rawValue }

        /// Before anything was tried: being checked, or waiting for a place.
        public static let queued = Self(.queued)
        /// Looking up the host's addresses.
        public static let dns = Self(.dns)
        /// Connecting.
        public static let tcp = Self(.tcp)
        /// Asking the proxy for a connection.
        public static let proxy = Self(.proxy)
        /// In the TLS handshake.
        public static let tls = Self(.tls)
        /// Sending the request.
        public static let sending = Self(.sending)
        /// Waiting for the first byte of the response.
        public static let waiting = Self(.waiting)
        /// Receiving the response.
        public static let receiving = Self(.receiving)
        /// Decompressing the response body.
        public static let decoding = Self(.decoding)
        /// After the response had been received.
        public static let done = Self(.done)
    }
}
