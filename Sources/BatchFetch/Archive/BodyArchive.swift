import CurlTransport
import HTTPTypes
import Posix
import Synchronization

/// Stores many bodies in few files.
///
/// Its methods are called on disk threads and may block on the disk.
protocol BodyArchive: AnyObject, Sendable {
    /// Appends a response with its body, and returns its location.
    func add(_ response: ArchivedResponse, _ body: ArchivedBody) throws(BatchFailure) -> BodyEnd

    /// Closes the current file if it is old enough, or if `isIdle`: no other body comes soon.
    func closeDue(isIdle: Bool) throws(BatchFailure)

    /// Closes the current file. Nothing may be added afterwards.
    func close() throws(BatchFailure)
}

/// What an archive stores of a response in addition to its body.
struct ArchivedResponse: Sendable {
    let job: FetchJob
    /// The last request, after redirects.
    let request: HTTPRequest
    let head: ResponseHead
    /// The start of the response, in microseconds since 1970.
    let moment: Int64

    var url: String { request.url ?? job.target.url }
}

/// Spools a body, and archives it when it is complete.
final class ArchivedBody: DiskBody {
    let spool: SpooledBody
    /// SHA-1 of the body. `blockDigest` is that of response head and body. Both are `nil` if the
    /// archive doesn't need them.
    let payloadDigest: RunningDigest?
    let blockDigest: RunningDigest?
    private let response: ArchivedResponse
    private let archive: any BodyArchive
    private let limit: Int64?
    private let cut = Atomic(false)
    private let lastPeer = Mutex<String?>(nil)

    /// - Parameter limit: The maximum number of bytes to keep; `nil` keeps all.
    init(
        _ response: ArchivedResponse,
        in archive: any BodyArchive,
        folder: String,
        digestingWith head: [UInt8]? = nil,
        limit: Int64? = nil
    ) {
        self.limit = limit
        spool = SpooledBody(folder: folder)
        self.response = response
        self.archive = archive
        payloadDigest = head == nil ? nil : RunningDigest(.sha1)
        blockDigest = head == nil ? nil : RunningDigest(.sha1)
        if let head { blockDigest?.update(head.span) }
    }

    /// Whether the body was truncated.
    var isCut: Bool { cut.load(ordering: .relaxed) }

    /// The address and port of the peer that sent the body; `nil` if it isn't known.
    var peer: String? { lastPeer.withLock { $0 } }

    /// Notes the peer. Called before the body is complete.
    func note(peer: String) { lastPeer.withLock { $0 = peer } }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        let room = limit.map { Int($0 - spool.count) } ?? bytes.count
        if room < bytes.count { cut.store(true, ordering: .relaxed) }
        let bytes = room < bytes.count ? Array(bytes.prefix(room)) : bytes
        payloadDigest?.update(bytes.span)
        blockDigest?.update(bytes.span)
        do throws(FileError) {
            try spool.append(bytes)
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    func commit() throws(BatchFailure) -> BodyEnd {
        defer { spool.drop() }
        return try archive.add(response, self)
    }

    func drop() {
        spool.drop()
    }
}
