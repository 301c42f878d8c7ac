internal import Foundation

/// A data task whose request has a body that was given apart: bytes, a file or a stream.
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
