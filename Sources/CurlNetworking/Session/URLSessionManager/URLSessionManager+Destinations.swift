public import CurlURLSession
public import Foundation

extension URLSessionManager {
    /// Creates a destination in a folder, with the name that the response suggests.
    ///
    /// The name is that of the response's `Content-Disposition`, otherwise the last part of its
    /// URL; it never contains a path. If the response suggests no name, the temporary file's is
    /// used.
    ///
    /// ```swift
    /// let destination = URLSessionManager.suggestedDownloadDestination(in: downloads)
    /// let (file, _) = try await manager.download(
    ///     for: request,
    ///     options: .removePreviousFile,
    ///     to: destination
    /// )
    /// ```
    ///
    /// An existing file is replaced only with ``DownloadOptions/removePreviousFile``.
    ///
    /// - Parameter folder: The destination's folder; by default the temporary folder.
    public static func suggestedDownloadDestination(
        in folder: URL = FileManager.default.temporaryDirectory
    ) -> Destination {
        { location, response in
            let name = response.suggestedFilename.map { ($0 as NSString).lastPathComponent }
            let isName = name.map { !["", ".", "..", "/"].contains($0) } ?? false
            return folder.appendingPathComponent(
                isName ? name ?? "" : location.lastPathComponent
            )
        }
    }

    // MARK: Tasks with a destination as their first closure

    /// Creates a task that downloads a file to a destination.
    ///
    /// It is ``downloadTask(with:options:progress:destination:completionHandler:)`` without progress:
    /// a first trailing closure is the destination.
    ///
    /// ```swift
    /// let task = manager.downloadTask(with: request) { temporaryFile, response in
    ///     folder.appendingPathComponent(response.suggestedFilename ?? "download")
    /// } completionHandler: { response, file, error in
    ///     print(error ?? file ?? "nothing")
    /// }
    /// ```
    ///
    /// In an override, pass all arguments of the overridden method to `super`. This form calls the
    /// override again.
    ///
    /// - Parameters:
    ///   - options: How the file may get to its destination. By default nothing is overwritten and
    ///     no folder is created.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    ///   - completionHandler: Called on ``completionQueue``.
    @_disfavoredOverload
    public func downloadTask(
        with request: URLRequest,
        options: DownloadOptions = [],
        destination: Destination?,
        completionHandler: DownloadCompletionHandler?
    ) -> URLSessionDownloadTask {
        downloadTask(
            with: request,
            options: options,
            progress: nil,
            destination: destination,
            completionHandler: completionHandler
        )
    }

    /// Creates a task that resumes a download to a destination.
    ///
    /// It is ``downloadTask(withResumeData:options:progress:destination:completionHandler:)`` without
    /// progress: a first trailing closure is the destination.
    ///
    /// In an override, pass all arguments of the overridden method to `super`. This form calls the
    /// override again.
    ///
    /// - Parameters:
    ///   - resumeData: From `URLSessionDownloadTask.cancel(byProducingResumeData:)`, or from an
    ///     error's `downloadTaskResumeData`.
    ///   - options: How the file may get to its destination.
    ///   - destination: Called on ``operationQueue``; returns where to move the file.
    ///   - completionHandler: Called on ``completionQueue``.
    @_disfavoredOverload
    public func downloadTask(
        withResumeData resumeData: Data,
        options: DownloadOptions = [],
        destination: Destination?,
        completionHandler: DownloadCompletionHandler?
    ) -> URLSessionDownloadTask {
        downloadTask(
            withResumeData: resumeData,
            options: options,
            progress: nil,
            destination: destination,
            completionHandler: completionHandler
        )
    }
}
