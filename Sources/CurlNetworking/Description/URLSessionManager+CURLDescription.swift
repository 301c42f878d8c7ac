public import CurlURLSession
internal import Foundation

// Descriptions of requests as shell commands, to repeat a request by hand.

extension URLRequest {
    /// The request as a `curl` command for a POSIX shell.
    ///
    /// The command sends the same request, without what a session adds. It is empty for a request
    /// without a URL.
    ///
    /// Secrets are hidden by default, because a command may be logged
    /// (``CURLDescriptionOptions/includesSecrets``). A command with hidden secrets can't be run
    /// unchanged.
    ///
    /// If the body isn't text, `printf` writes it and curl reads it from a pipe
    /// (`--data-binary @-`). The content of a stream isn't included: the command reads the body
    /// from its own standard input.
    public func cURLDescription(
        options: CURLDescriptionOptions = CURLDescriptionOptions()
    ) -> String {
        preview.map { CURLCommand($0, options).text } ?? ""
    }
}

extension URLSessionManager {
    /// A request as a `curl` command, with what the manager's session adds.
    ///
    /// The session adds its header fields, cookies, proxies, HTTP version, and the credentials with
    /// which it would answer challenges (`-u`). Passwords are shown only if the options include
    /// secrets. See ``CurlURLSession/URLRequest/cURLDescription(options:)``.
    ///
    /// The command doesn't contain certificates and redirects: it sends one request, and uses
    /// curl's own trust store.
    public func cURLDescription(
        of request: URLRequest,
        options: CURLDescriptionOptions = CURLDescriptionOptions()
    ) -> String {
        session.preview(of: request).map { CURLCommand($0, options).text } ?? ""
    }

    /// A task's original request as a `curl` command.
    ///
    /// It contains the data or the file that the task sends, and the session's current cookies and
    /// credentials; see ``cURLDescription(of:options:)-(URLRequest,_)``.
    public func cURLDescription(
        of task: URLSessionTask,
        options: CURLDescriptionOptions = CURLDescriptionOptions()
    ) -> String {
        session.preview(of: task).map { CURLCommand($0, options).text } ?? ""
    }
}

extension DataResponse {
    /// The request of this response, as a `curl` command.
    ///
    /// It is empty if there was no request. See
    /// ``CurlURLSession/URLRequest/cURLDescription(options:)``.
    public func cURLDescription(
        options: CURLDescriptionOptions = CURLDescriptionOptions()
    ) -> String {
        request?.cURLDescription(options: options) ?? ""
    }
}
