public import CurlURLSession
internal import Foundation

// Requests as commands for a shell, to be tried by hand.

extension URLRequest {
    /// The request as a `curl` command that a POSIX shell can run: the same request, without what a
    /// session adds. Empty for a request without a URL.
    ///
    /// Secrets are left out, as a command may be logged, unless the options say otherwise
    /// (``CURLDescriptionOptions/includesSecrets``); only then can it be run where there are any.
    ///
    /// What isn't text is written by `printf` and read by curl (`--data-binary @-`); of a stream, only that
    /// there is one: the command reads it from its own input.
    public func cURLDescription(
        options: CURLDescriptionOptions = CURLDescriptionOptions()
    ) -> String {
        preview.map { CURLCommand($0, options).text } ?? ""
    }
}

extension URLSessionManager {
    /// A request as a `curl` command, with what the manager's session adds: its header fields, cookies,
    /// proxies, version of HTTP, and credentials that it would answer challenges with (`-u`), whose
    /// passwords are shown only if the options say so. See
    /// ``CurlURLSession/URLRequest/cURLDescription(options:)``.
    ///
    /// Certificates and redirects aren't shown: a command sends one request, and trusts whom curl trusts.
    public func cURLDescription(
        of request: URLRequest,
        options: CURLDescriptionOptions = CURLDescriptionOptions()
    ) -> String {
        session.preview(of: request).map { CURLCommand($0, options).text } ?? ""
    }

    /// A task's original request as a `curl` command, with the bytes or the file that the task sends; see
    /// ``cURLDescription(of:options:)-(URLRequest,_)``. Cookies and credentials are those that there are
    /// now.
    public func cURLDescription(
        of task: URLSessionTask,
        options: CURLDescriptionOptions = CURLDescriptionOptions()
    ) -> String {
        session.preview(of: task).map { CURLCommand($0, options).text } ?? ""
    }
}

extension DataResponse {
    /// The request that was answered, as a `curl` command; see
    /// ``CurlURLSession/URLRequest/cURLDescription(options:)``. Empty where there was none.
    public func cURLDescription(
        options: CURLDescriptionOptions = CURLDescriptionOptions()
    ) -> String {
        request?.cURLDescription(options: options) ?? ""
    }
}
