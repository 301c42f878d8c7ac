extension HTTPCookie {
    /// Which cookies a storage takes.
    public enum AcceptPolicy: UInt, Sendable {
        /// All.
        case always
        /// None.
        case never
        /// Those of the main document's site.
        case onlyFromMainDocumentDomain
    }
}
