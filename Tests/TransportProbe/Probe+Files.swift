internal import CurlTransport
internal import Glibc
internal import HTTPTypes
internal import TestSupport

/// Downloads to files under resource limits.
extension Probe {
    /// Downloads to a file in a process whose files may have `limit` bytes. Prints the error, and
    /// how much the loop's thread and the files' thread have written. Then collects a response in
    /// memory.
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
    /// Prepares root certificates in a process that may open only one more file.
    func prepareRoots() throws {
        var few = rlimit(rlim_cur: 64, rlim_max: 64)
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few) == 0 else { exit(4) }
        var last: Int32 = -1
        while case let next = open("/dev/null", O_RDONLY), next >= 0 { last = next }
        close(last)
        var options = TransferOptions()
        options.tls.trustRoots = .pem(Array("-----BEGIN one\n".utf8))
        _ = try PreparedOptions(options)
        print("prepared")
    }
}
