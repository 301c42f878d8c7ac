public import Foundation

/// The `userInfo` key of the resume data in a failed download's error.
///
/// The error only has it if the download can be resumed. Pass the value to
/// ``URLSession/downloadTask(withResumeData:)``.
public let NSURLSessionDownloadTaskResumeData: String = "NSURLSessionDownloadTaskResumeData"

/// The `userInfo` key of the resume data in a failed upload's error.
///
/// The error only has it if the upload can be resumed. Pass the value to
/// ``URLSession/uploadTask(withResumeData:)``.
public let NSURLSessionUploadTaskResumeData: String = "NSURLSessionUploadTaskResumeData"

/// FoundationNetworking's name for ``NSURLSessionDownloadTaskResumeData``.
public let URLSessionDownloadTaskResumeData: String = NSURLSessionDownloadTaskResumeData

extension URLError {
    /// The resume data of a failed or cancelled download.
    ///
    /// It is `nil` if the download can't be resumed. Pass it to
    /// ``URLSession/downloadTask(withResumeData:)``. It is the value of
    /// ``NSURLSessionDownloadTaskResumeData`` in `userInfo`.
    public var downloadTaskResumeData: Data? {
        userInfo[NSURLSessionDownloadTaskResumeData] as? Data
    }

    /// The resume data of a failed or cancelled upload.
    ///
    /// It is `nil` if the upload can't be resumed. Pass it to
    /// ``URLSession/uploadTask(withResumeData:)``. It is the value of
    /// ``NSURLSessionUploadTaskResumeData`` in `userInfo`.
    public var uploadTaskResumeData: Data? {
        userInfo[NSURLSessionUploadTaskResumeData] as? Data
    }

    /// A copy of the error with resume data of an upload or a download.
    func with(resumeData: Data, isUpload: Bool) -> URLError {
        var info = userInfo
        let key = isUpload ? NSURLSessionUploadTaskResumeData : NSURLSessionDownloadTaskResumeData
        info[key] = resumeData
        return URLError(code, userInfo: info)
    }
}

// `@unchecked Sendable`: Foundation declares the closure without `Sendable`. It is called once, on
// the delegate queue, and not used otherwise. The method's documentation says so to callers on
// other threads.
/// A handler that receives the resume data of a download or an upload.
struct ResumeDataHandler: @unchecked Sendable {
    let handler: (Data?) -> Void
}
