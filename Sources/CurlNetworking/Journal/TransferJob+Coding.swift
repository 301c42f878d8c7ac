internal import Foundation
internal import Posix

// How a job is stored: its state, its number and whether its completion was delivered are columns
// of their own; everything else is in a record.

extension TransferJob {
    /// The record in its stored form.
    func record() throws -> Data {
        try JSONEncoder().encode(
            Record(
                id: id,
                kind: kind,
                url: url,
                method: httpMethod,
                fields: httpHeaderFields,
                omitted: omittedHeaderFields,
                timeout: timeoutInterval,
                traits: request.traits,
                file: file.path,
                partFile: partFile?.path,
                options: options.rawValue,
                created: created,
                bytes: bytes,
                expectedBytes: expectedBytes,
                entityTag: entityTag,
                lastModified: lastModified,
                attempts: attempts,
                failure: failure,
                statusCode: statusCode,
                responseData: responseData,
                validator: validator,
                boot: boot,
                moved: moved
            )
        )
    }

    /// Decodes a record that ``record()`` has encoded.
    init(_ data: Data, state: State, isDelivered: Bool, sequence: Int) throws {
        let record = try JSONDecoder().decode(Record.self, from: data)
        self.init(
            id: record.id,
            kind: record.kind,
            request: StorableRequest(
                url: record.url,
                method: record.method,
                fields: record.fields,
                omitted: record.omitted,
                timeout: record.timeout,
                traits: record.traits ?? RequestTraits()
            ),
            file: URL(fileURLWithPath: record.file),
            partFile: record.partFile.map { URL(fileURLWithPath: $0) },
            options: DownloadOptions(rawValue: record.options),
            created: record.created
        )
        self.state = state
        self.isDelivered = isDelivered
        self.sequence = sequence
        bytes = record.bytes
        expectedBytes = record.expectedBytes
        entityTag = record.entityTag
        lastModified = record.lastModified
        attempts = record.attempts
        failure = record.failure
        statusCode = record.statusCode
        responseData = record.responseData
        validator = record.validator
        boot = record.boot
        moved = record.moved
    }

    private struct Record: Codable {
        let id: String
        let kind: Kind
        let url: URL
        let method: String
        let fields: [String: String]
        let omitted: [String]
        let timeout: TimeInterval
        /// Records of earlier versions have none.
        let traits: RequestTraits?
        let file: String
        let partFile: String?
        let options: Int
        let created: Date
        let bytes: Int64
        let expectedBytes: Int64?
        let entityTag: String?
        let lastModified: String?
        let attempts: Int
        let failure: TransferJobFailure?
        let statusCode: Int?
        let responseData: Data?
        let validator: String?
        let boot: String
        let moved: FileIdentity?
    }
}
