internal import Foundation

/// A task that exchanges messages with a server (RFC 6455).
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}
