extension URLCredential {
    /// How long a credential is kept. Whatever it says, credentials are kept in this process alone.
    public enum Persistence: UInt, Sendable {
        /// It is used once and not stored.
        case none
        /// It is stored for as long as its storage lives.
        case forSession
        /// The same as ``forSession``: there is no store that outlives the process.
        case permanent
        /// It would be shared between a user's devices, which there is no service for: it isn't
        /// stored.
        case synchronizable
    }
}
