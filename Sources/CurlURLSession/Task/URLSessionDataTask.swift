internal import Foundation

/// A task whose response's content is handed over in memory.
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
