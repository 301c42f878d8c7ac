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

    /// What is at the destination is replaced, once the new file is in the same folder: a file that can't
    /// get there leaves the former one alone.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 0)
    /// Folders on the way to the destination are created.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 1)
    /// A Swift task that is cancelled keeps what has come: the error that it ends with has the resume data
    /// (``NetworkingError/resumeData``), where there can be any. The bytes stay in the folder for temporary
    /// files until another download goes on with them.
    public static let keepResumeDataWhenCancelled = DownloadOptions(rawValue: 1 << 2)
}
