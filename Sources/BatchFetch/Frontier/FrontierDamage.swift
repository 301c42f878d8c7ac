import Curl

/// What was written to a frontier's file can't be read back.
struct FrontierDamage: Error, Sendable {
    /// What the system said; nil where it said nothing.
    let reason: FileError?
}
