import CurlTransport
import HTTPTypes
import Posix
import Testing

@testable import BatchFetch

/// Creates responses and stores them in an archive, without a server.
struct ArchiveSamples {
    let folder: String
    let archive: any BodyArchive
    var fields: [String] = []
    var requestFields: HTTPFields = [:]
    /// The maximum number of bytes of a body to keep.
    var limit: Int64?
    /// Whether bodies have the checksums that a WARC record needs.
    var isDigested = false

    init(in folder: String, _ archive: any BodyArchive) {
        self.folder = folder
        self.archive = archive
    }

    /// Parses a response head with these field lines.
    static func head(_ fields: [String] = [], version: String = "1.1") throws -> ResponseHead {
        var parser = ResponseHeadParser()
        for line in ["HTTP/\(version) 200 OK"] + fields + [""] {
            if case .head(let head) = try parser.receive(Array("\(line)\r\n".utf8).span) {
                return head
            }
        }
        throw BatchFailure(.input, "the head is incomplete")
    }

    static func job(_ url: String, ordinal: Int = 1, tag: String? = nil) throws -> FetchJob {
        var request = BatchRequest(url: url)
        request.tag = tag
        return FetchJob(
            target: try FetchTarget(request),
            line: ordinal,
            ordinal: ordinal,
            waitingSince: .now
        )
    }

    func body(_ url: String, ordinal: Int = 1, tag: String? = nil) throws -> ArchivedBody {
        let request = try HTTPRequest(url: url, headerFields: requestFields)
        let head = try Self.head(fields)
        let response = ArchivedResponse(
            job: try Self.job(url, ordinal: ordinal, tag: tag),
            request: request,
            head: head,
            moment: 1_700_000_000_123_456
        )
        return ArchivedBody(
            response,
            in: archive,
            folder: folder,
            digestingWith: isDigested ? head.bytes : nil,
            limit: limit
        )
    }

    /// Stores a body, and returns the name of its file and its offset there.
    @discardableResult
    func store(
        _ bytes: [UInt8],
        _ url: String,
        ordinal: Int = 1,
        tag: String? = nil
    ) throws -> (name: String, offset: Int64) {
        let body = try body(url, ordinal: ordinal, tag: tag)
        if !bytes.isEmpty { try body.append(bytes) }
        guard case .shard(let name, let offset) = try body.commit() else {
            throw BatchFailure(.output, "the body isn't in the archive")
        }
        return (name, offset)
    }
}
