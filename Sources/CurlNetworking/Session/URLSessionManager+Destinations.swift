internal import CurlURLSession
public import Foundation

extension URLSessionManager {
    /// A destination in a folder, under the name that the response suggests: that of its
    /// `Content-Disposition`, else the last part of its URL, never with a path in it. A response that
    /// suggests none gets the name of the temporary file.
    ///
    /// ```swift
    /// let destination = URLSessionManager.suggestedDownloadDestination(in: downloads)
    /// let (file, _) = try await manager.download(
    ///     for: request, options: .removePreviousFile, to: destination)
    /// ```
    ///
    /// What is there already is replaced only with ``DownloadOptions/removePreviousFile``.
    ///
    /// - Parameter folder: Where the file goes; by default, the folder for temporary files.
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
}
