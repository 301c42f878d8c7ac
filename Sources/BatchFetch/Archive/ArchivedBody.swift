import Curl
import Synchronization

/// A body that is gathered, and put into an archive when it is complete.
final class ArchivedBody: DiskBody {
    let spool: SpooledBody
    /// SHA-1 of the body, and of a response's head and body together, where the archive names them.
    let payloadDigest: RunningDigest?
    let blockDigest: RunningDigest?
    private let response: ArchivedResponse
    private let archive: any BodyArchive
    private let limit: Int64?
    private let cut = Atomic(false)

    /// - Parameter limit: Bytes of the body that are kept, if not all are.
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

    /// Whether not all of the body is kept.
    var isCut: Bool { cut.load(ordering: .relaxed) }

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
