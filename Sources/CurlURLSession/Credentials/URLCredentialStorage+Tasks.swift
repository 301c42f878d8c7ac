internal import Foundation

// The same methods for who has a task at hand. A storage is the same for all tasks, so that the task
// changes nothing; handlers are called before the method returns.

extension URLCredentialStorage {
    /// Tells the credentials for a protection space by their users; `nil` if there are none.
    public func getCredentials(
        for protectionSpace: URLProtectionSpace,
        task: URLSessionTask,
        completionHandler: ([String: URLCredential]?) -> Void
    ) {
        completionHandler(credentials(for: protectionSpace))
    }

    /// Stores a credential; see ``set(_:for:)``.
    public func set(
        _ credential: URLCredential,
        for protectionSpace: URLProtectionSpace,
        task: URLSessionTask
    ) {
        set(credential, for: protectionSpace)
    }

    /// Removes a credential; see ``remove(_:for:options:)``.
    public func remove(
        _ credential: URLCredential,
        for protectionSpace: URLProtectionSpace,
        options: [String: AnyObject]? = [:],
        task: URLSessionTask
    ) {
        remove(credential, for: protectionSpace, options: options)
    }

    /// Tells the credential that a protection space is tried with first; `nil` if there is none.
    public func getDefaultCredential(
        for space: URLProtectionSpace,
        task: URLSessionTask,
        completionHandler: (URLCredential?) -> Void
    ) {
        completionHandler(defaultCredential(for: space))
    }

    /// Stores a credential, which is tried first from now on.
    public func setDefaultCredential(
        _ credential: URLCredential,
        for protectionSpace: URLProtectionSpace,
        task: URLSessionTask
    ) {
        setDefaultCredential(credential, for: protectionSpace)
    }
}
