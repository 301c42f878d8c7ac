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

    /// A file that is at the destination is replaced, once the new one is in the same folder and by one
    /// step (`rename` of POSIX): a file that can't get there leaves the former one alone, and of several
    /// that come at once each is whole, and the last one stays.
    ///
    /// A file that comes from another file system than that of its destination is copied into the folder first,
    /// as `.download-….part`. Should the program end in between, that stays, and may be removed.
    ///
    /// A folder is never replaced: that fails with `EISDIR` of `NSPOSIXErrorDomain`. Nor is a file replaced
    /// by what a server says in refusal: where the response's status isn't among the serializer's
    /// acceptable ones (``HTTPResponseSerializer/acceptableStatusCodes``), the former file stays, and the
    /// error is the serializer's. Where there was no file, the refusal's body goes there.
    public static let removePreviousFile = DownloadOptions(rawValue: 1 << 0)
    /// Folders on the way to the destination are created.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1 << 1)
    /// A Swift task that is cancelled keeps what has come: the error that it ends with has the resume data
    /// (``NetworkingError/resumeData``), where there can be any. The bytes stay in the folder for temporary
    /// files until another download goes on with them.
    public static let keepResumeDataWhenCancelled = DownloadOptions(rawValue: 1 << 2)
}
