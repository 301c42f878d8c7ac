internal import Foundation

/// A file as it is at some time, by which it is seen whether somebody has changed it since.
struct FileVersion: Sendable, Hashable, Codable {
    let url: URL
    /// In bytes.
    let size: Int64
    /// When it was written to last, in seconds.
    let written: TimeInterval

    /// `nil` for what is no regular file, and where there is none.
    init?(of url: URL) {
        // What a link leads to counts.
        let path = url.resolvingSymlinksInPath().path
        guard url.isFileURL,
            let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? UInt64,
            let date = attributes[.modificationDate] as? Date
        else { return nil }
        self.url = url
        self.size = Int64(clamping: size)
        written = date.timeIntervalSinceReferenceDate
    }

    /// Why the file can't be sent from where it was left; `nil` where it can.
    var fault: UploadFault? {
        guard let now = FileVersion(of: url) else {
            return UploadFault(
                .fileDoesNotExist,
                "the file to upload isn't there any more.",
                isFinal: true
            )
        }
        guard now == self else {
            return UploadFault(
                .cannotOpenFile,
                "the file to upload was changed since, and the server has a part of what it was; "
                    + "begin the upload anew.",
                isFinal: true
            )
        }
        return nil
    }
}
