internal import CurlTransport
internal import Glibc
internal import HTTPTypes
internal import TestSupport

/// What becomes of downloads to files.
extension Probe {
    /// A download to a file in a process whose files may have `limit` bytes, and a response that is kept
    /// in memory afterwards; and how much the loop's thread and that for files have written.
    func download(to path: String, atMost limit: UInt) async throws {
        signal(SIGXFSZ, SIG_IGN)
        var most = rlimit(rlim_cur: limit, rlim_max: limit)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &most) == 0 else { exit(4) }
        let client = try HTTPClient(options: options)
        do {
            _ = try await client.download(HTTPRequest(url: url), to: path)
        } catch {
            print("code=\(error.code)")
            print("errno=\(error.systemErrno ?? 0)")
        }
        for name in ["curl-loop", "curl-files"] {
            let threads = ThreadFacts.threads(namePrefix: name).map { ThreadFacts(thread: $0) }
            print("\(name)=\(threads.reduce(0) { $0 + $1.bytesWritten })")
        }
        let next = try await client.send(HTTPRequest(url: url)).body.collect(upTo: 8 << 20)
        print("next=\(next.count)")
        await client.shutdown()
    }
}
