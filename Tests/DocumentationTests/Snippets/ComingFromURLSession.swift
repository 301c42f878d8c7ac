internal import CurlTransport
// snippet: ComingFromURLSession/import
import CurlURLSession  // instead of FoundationNetworking
import Foundation

// hide
/// What the page "Coming from URLSession on Linux" shows.
struct ComingFromURLSession: Sendable {
    let url: URL
    let print: Print

    func data() async throws {
        // show
        let (data, response) = try await URLSession.shared.data(from: url)
        // end
        print("\(data.count) \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func lines() async throws {
        // snippet: ComingFromURLSession/lines
        let (bytes, _) = try await URLSession.shared.bytes(from: url)
        for try await line in bytes.lines {
            print(line)
        }
        // end
    }

    func resumed(_ session: URLSession) async throws {
        // snippet: ComingFromURLSession/resumed
        let file: URL
        do {
            (file, _) = try await session.download(from: url)
        } catch let error as URLError {
            guard let resumeData = error.downloadTaskResumeData else { throw error }
            (file, _) = try await session.download(resumeFrom: resumeData)
        }
        // end
        print(try Data(contentsOf: file).count)
        try FileManager.default.removeItem(at: file)
    }

    static func configuration(_ folder: URL) -> URLSessionConfiguration {
        // snippet: ComingFromURLSession/configuration
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForConnection = 3
        configuration.httpMaximumConnectionsPerHost = 32
        configuration.usesEnvironmentProxies = true
        configuration.httpVersion = .http2
        configuration.tlsConfiguration.trustRoots = .file("/etc/company/ca.pem")
        configuration.urlCache = URLCache(
            memoryCapacity: 8 << 20,
            diskCapacity: 256 << 20,
            directory: folder
        )
        // end
        return configuration
    }

    static func cookies(_ file: URL) throws -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // snippet: ComingFromURLSession/cookies
        configuration.httpCookieStorage = try HTTPCookieStorage(persistingAt: file)
        // end
        return configuration
    }
}

// snippet: ComingFromURLSession/metrics
final class Timings: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        for transaction in metrics.transactionMetrics {
            print(transaction.networkProtocolName ?? "-", transaction.remoteAddress ?? "-")
        }
    }
}
// hide

extension ComingFromURLSession {
    func metrics() async throws {
        // show
        let (page, _) = try await URLSession.shared.data(from: url, delegate: Timings())
        // end
        print(page.count)
    }
}
