import Foundation

/// A delegate of every kind that does only what it must, so that each other call takes its default.
final class IdleDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
    URLSessionStreamDelegate, URLSessionWebSocketDelegate
{
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {}

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {}

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {}
}
