/// What may be done for a download's file to get to where it is wanted.
///
/// Without any, as in AFNetworking, nothing is overwritten and no folder is created: a file that is
/// there already, and a folder that isn't, make the move fail.
public struct DownloadOptions: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates a set of options from their bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// What is at the destination is removed first.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 0)
    /// Folders on the way to the destination are created.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 1)
}
