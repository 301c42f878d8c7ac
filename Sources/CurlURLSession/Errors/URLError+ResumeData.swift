public import Foundation

extension URLError {
    /// With what ``URLSession/downloadTask(withResumeData:)`` goes on, where a download has failed, or
    /// was cancelled to go on later; `nil` where it can't.
    ///
    /// It is what `userInfo` has under ``NSURLSessionDownloadTaskResumeData``.
    public var downloadTaskResumeData: Data? {
        userInfo[NSURLSessionDownloadTaskResumeData] as? Data
    }

    /// With what ``URLSession/uploadTask(withResumeData:)`` goes on, where an upload has failed, or was
    /// cancelled to go on later; `nil` where it can't.
    ///
    /// It is what `userInfo` has under ``NSURLSessionUploadTaskResumeData``.
    public var uploadTaskResumeData: Data? {
        userInfo[NSURLSessionUploadTaskResumeData] as? Data
    }

    /// The same error with resume data of an upload, or of a download.
    func with(resumeData: Data, of kind: TaskKind) -> URLError {
        var info = userInfo
        let isUpload = kind == .upload
        let key = isUpload ? NSURLSessionUploadTaskResumeData : NSURLSessionDownloadTaskResumeData
        info[key] = resumeData
        return URLError(code, userInfo: info)
    }
}
