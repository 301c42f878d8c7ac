public import Foundation

extension URLError {
    /// With what ``URLSession/downloadTask(withResumeData:)`` goes on, where a download has failed, or
    /// was cancelled to go on later; `nil` where it can't.
    ///
    /// It is what `userInfo` has under ``NSURLSessionDownloadTaskResumeData``.
    public var downloadTaskResumeData: Data? {
        userInfo[NSURLSessionDownloadTaskResumeData] as? Data
    }

    /// The same error with resume data.
    func with(resumeData: Data) -> URLError {
        var info = userInfo
        info[NSURLSessionDownloadTaskResumeData] = resumeData
        return URLError(code, userInfo: info)
    }
}
