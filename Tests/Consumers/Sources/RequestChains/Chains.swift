import CurlURLSession
import Foundation
import Synchronization

/// The program's requests. Each method prints the results of a few.
struct Chains: Sendable {
    private struct Notes: Decodable {
        let titles: [String]
    }

    private let base: URL
    private let folder: URL
    private let counter = EventCounter()
    private let session: Session

    /// - Parameters:
    ///   - base: The server.
    ///   - folder: An existing folder for files.
    init(base: URL, folder: URL) {
        self.base = base
        self.folder = folder
        session = Session(interceptor: RetryPolicy(), monitor: counter)
    }

    private func at(_ path: String) -> URL { base.appendingPathComponent(path) }

    func run() async throws {
        await notes()
        await authentication()
        await redirects()
        await retries()
        await cache()
        try await uploads()
        await download()
        await endings()
        print("events:", counter.summary)
    }

    private func notes() async {
        let headers = ["Accept": "application/json"]
        let answer = await session.request(at("notes"), headers: headers).validate().completion
        let notes = answer.decoded(Notes.self).map { $0.titles.joined(separator: ", ") }
        print("notes:", (try? notes.get()) ?? answer.outcome)
        print("server:", answer.http?.headers["server"] ?? "none")
        for path in ["missing", "text"] {
            let other = await session.request(at(path), headers: headers).validate().completion
            print("\(path):", other.outcome)
        }
    }

    private func authentication() async {
        let request = session.request(at("private/note"))
            .authenticate(user: "ada", password: "secret").validate()
        print("private:", await request.completion.outcome)
        print(request.cURLDescription())
    }

    private func redirects() async {
        let followed = await session.request(at("old"))
            .redirect { _, request, response in
                var changed = request
                changed.headers["X-Status"] = "\(response.statusCode)"
                return changed
            }
            .completion
        let requests = [followed.task?.originalRequest, followed.task?.currentRequest]
        print("redirected:", followed.text, requests.map { $0?.url?.path ?? "none" })
        print("redirects:", followed.metrics.map(\.redirectCount))
        let kept = await session.request(at("old")).redirect { _, _, _ in nil }.completion
        print("not redirected:", kept.outcome)
    }

    private func retries() async {
        let busy = await session.request(at("busy")).validate().completion
        print("busy:", busy.outcome, "retries:", busy.retryCount, "tasks:", busy.metrics.count)
        let tokens = TokenInterceptor(token: "stale", url: at("token"))
        let members = session.request(at("members"), interceptor: tokens).validate()
        let answer = await members.completion
        print("members:", answer.outcome, "retries:", answer.retryCount)
    }

    private func cache() async {
        for path in ["cached", "cached", "uncached", "uncached"] {
            let answer = await session.request(at(path))
                .cacheResponse { _, proposed in
                    guard path == "cached" else { return nil }
                    return CachedURLResponse(
                        response: proposed.response,
                        data: proposed.data,
                        userInfo: ["note": "kept"],
                        storagePolicy: .allowedInMemoryOnly
                    )
                }
                .completion
            let source = answer.metrics.last?.transactionMetrics.last?.resourceFetchType
            print("\(path):", source == .localCache ? "cache" : "network")
        }
        let cache = session.urlSession.configuration.urlCache
        let stored = cache?.cachedResponse(for: URLRequest(url: at("cached")))
        print("stored:", stored?.userInfo?["note"] as? String ?? "nothing")
    }

    private func uploads() async throws {
        let (content, file) = (Data("hello, world".utf8), folder.appendingPathComponent("note"))
        try content.write(to: file)
        let sources = [Request.Uploadable.data(content), .file(file), .stream(file)]
        for (name, source) in zip(["data", "file", "stream"], sources) {
            let answer = await session.upload(source, to: at("upload")).validate().completion
            print("\(name):", answer.text, "sent:", answer.sent ?? "nothing")
        }
    }

    private func download() async {
        let destination: Request.Destination = { [folder] temporary, response in
            let name = response.suggestedFilename ?? temporary.lastPathComponent
            return folder.appendingPathComponent(name)
        }
        let cancelled = await session.request(at("letter.bin"), kind: .download(destination))
            .downloadProgress { request, written, expected in
                if written == expected / 2 { request.cancelByProducingResumeData() }
            }
            .completion
        print("cancelled:", cancelled.outcome, "metrics:", cancelled.metrics.count)
        guard let data = cancelled.resumeData, data == cancelled.error?.resumeData else {
            return print("no resume data")
        }
        let resumed = await session.download(resumingWith: data, to: destination).completion
        print("resumed:", resumed.outcome, "at:", resumed.resumedAt ?? -1)
        print("file:", resumed.fileURL?.lastPathComponent ?? "none")
    }

    private func endings() async {
        let lines = ReceivedData()
        let kind = Request.Kind.stream { lines.append($0) }
        let stream = await session.request(at("lines"), kind: kind).completion
        print("stream:", stream.outcome, lines.text.split(separator: "\n"))
        let refused = await session.request(at("text")).onHTTPResponse { _ in .cancel }.completion
        print("refused:", refused.outcome, "status:", refused.http?.statusCode ?? 0)
        let silent = await session.request(at("silent")).onTask { $0.cancel() }.completion
        print("silent:", silent.outcome, "metrics:", silent.metrics.count)
        await session.invalidate()
    }
}

/// The body of a stream.
private final class ReceivedData: Sendable {
    private let data = Mutex(Data())

    func append(_ piece: Data) { data.withLock { $0.append(piece) } }

    var text: String { String(decoding: data.withLock { $0 }, as: UTF8.self) }
}
