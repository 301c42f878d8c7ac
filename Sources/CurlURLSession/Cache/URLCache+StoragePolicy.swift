extension URLCache {
    /// Where a response may be stored.
    public enum StoragePolicy: UInt, Sendable {
        /// In memory and on disk.
        case allowed
        /// In memory alone.
        case allowedInMemoryOnly
        /// Nowhere.
        case notAllowed
    }
}
