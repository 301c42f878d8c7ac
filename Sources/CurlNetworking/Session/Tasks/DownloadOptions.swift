/// How a download's file may get to its destination.
///
/// Without options nothing is overwritten and no folder is created, as in AFNetworking. The move
/// fails if the destination exists, or if its folder doesn't.
public struct DownloadOptions: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates a set of options from their bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Replaces an existing file at the destination.
    ///
    /// The existing file is replaced in one step (`rename` of POSIX), once the new file is in the
    /// same folder. If the new file can't get there, the existing one stays. If several downloads
    /// have the same destination, each file is complete, and the last one stays.
    ///
    /// A file from another file system than that of its destination is first copied into the
    /// folder, as `.download-….part`. If the program ends in between, that copy stays, and may be
    /// removed.
    ///
    /// A folder is never replaced: that fails with `EISDIR` of `NSPOSIXErrorDomain`. An error
    /// response doesn't replace a file either: if the response's status isn't among the
    /// serializer's acceptable ones (``HTTPResponseSerializer/acceptableStatusCodes``), the
    /// existing file stays, and the error is the serializer's. If no file existed, the body of the
    /// error response is stored there.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 0)
    /// Creates missing folders of the destination's path.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 1)
    /// Keeps an incomplete download if the Swift task is cancelled.
    ///
    /// The thrown error then has the resume data (``NetworkingError/resumeData``), if the download
    /// can be resumed. The received bytes stay in the temporary folder until another download
    /// resumes them.
    public static let keepResumeDataWhenCancelled = DownloadOptions(rawValue: 1 << 2)
}
