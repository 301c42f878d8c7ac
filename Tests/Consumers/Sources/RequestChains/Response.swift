import CurlURLSession
import Foundation

/// The result of a request.
struct Response: Sendable {
    var task: URLSessionTask?
    var data = Data()
    /// The downloaded file.
    var fileURL: URL?
    /// The resume data of a download that was cancelled.
    var resumeData: Data?
    /// The offset at which a download was resumed.
    var resumedAt: Int64?
    /// How much of an upload was sent.
    var sent: String?
    /// One for each task.
    var metrics: [URLSessionTaskMetrics] = []
    var retryCount = 0
    var error: ChainError?

    var http: HTTPURLResponse? { task?.response as? HTTPURLResponse }

    var text: String { String(decoding: data, as: UTF8.self) }

    /// The error, or the status code.
    var outcome: String { error?.description ?? http.map { "\($0.statusCode)" } ?? "none" }

    func decoded<Value: Decodable>(_ type: Value.Type) -> Result<Value, ChainError> {
        if let error { return .failure(error) }
        do {
            return .success(try JSONDecoder().decode(type, from: data))
        } catch {
            return .failure(.notDecoded(error))
        }
    }
}

/// Why a request failed.
enum ChainError: Error, CustomStringConvertible {
    case taskFailed(any Error)
    case unacceptableStatus(Int)
    case unacceptableType(String?)
    case fileNotMoved(any Error)
    case notDecoded(any Error)

    var urlError: URLError? {
        guard case .taskFailed(let error) = self else { return nil }
        return error as? URLError
    }

    /// The resume data of a download that failed or was cancelled.
    var resumeData: Data? { urlError?.userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

    var description: String {
        switch self {
        case .taskFailed(let error): "\((error as NSError).domain) \((error as NSError).code)"
        case .unacceptableStatus(let code):
            "\(code) \(HTTPURLResponse.localizedString(forStatusCode: code))"
        case .unacceptableType(let type): "unacceptable type \(type ?? "none")"
        case .fileNotMoved(let error): "not moved: \(error)"
        case .notDecoded(let error): "not decoded: \(error)"
        }
    }
}
