internal import Foundation

/// A task that would read and write a connection. No session creates one.
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {}
