internal import CurlURLSession
internal import Foundation

/// Writes a request's body stream to a file.
enum BodyFileWriter {
    private static let chunk = 64 * 1024

    /// Up to four threads that may block on disk I/O.
    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "curl-networking-body-file"
        queue.maxConcurrentOperationCount = 4
        return queue
    }()

    /// - Parameter completion: Called on a thread of the writer's queue, with an error or `nil`.
    static func write(
        _ stream: InputStream?,
        to url: URL,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let stream, url.isFileURL else {
            let error =
                stream == nil
                ? URLRequestSerializationError.invalidParameters(
                    "The `request` argument has no body stream."
                )
                : URLRequestSerializationError.file(url, "Expected URL to be a file URL")
            return queue.addOperation { completion(error) }
        }
        let body = BodyStream(stream: stream)
        queue.addOperation {
            do {
                try copy(body.stream, to: url)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    /// Removes the file if it can't be completed.
    private static func copy(_ stream: InputStream, to url: URL) throws {
        try Data().write(to: url)
        do {
            let file = try FileHandle(forWritingTo: url)
            if stream.streamStatus == .notOpen { stream.open() }
            defer { stream.close() }
            while case let bytes = try stream.readBytes(upTo: chunk), !bytes.isEmpty {
                try file.write(contentsOf: bytes)
            }
            try file.close()
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }
}
