/// A number of bytes that isn't known: -1.
public let NSURLSessionTransferSizeUnknown: Int64 = -1

/// The key under which the `userInfo` of a failed download's error has what
/// ``URLSession/downloadTask(withResumeData:)`` goes on with, if that is possible.
public let NSURLSessionDownloadTaskResumeData: String = "NSURLSessionDownloadTaskResumeData"

/// The key under which the `userInfo` of a failed upload's error has what
/// ``URLSession/uploadTask(withResumeData:)`` goes on with, if that is possible.
public let NSURLSessionUploadTaskResumeData: String = "NSURLSessionUploadTaskResumeData"

/// The same as ``NSURLSessionDownloadTaskResumeData``, by the name that FoundationNetworking has for
/// it.
public let URLSessionDownloadTaskResumeData: String = NSURLSessionDownloadTaskResumeData
