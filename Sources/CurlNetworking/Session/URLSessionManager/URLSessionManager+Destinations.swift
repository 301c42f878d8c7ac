internal import CurlURLSession
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
}
