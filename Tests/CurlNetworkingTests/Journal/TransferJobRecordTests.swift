internal import Foundation
internal import Posix
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The stored form of a job.
@Suite struct TransferJobRecordTests {
    private func decoded(_ data: Data, like job: TransferJob) throws -> TransferJob {
        try TransferJob(
            data,
            state: job.state,
            isDelivered: job.isDelivered,
            sequence: job.sequence
        )
    }

    /// The record of a job, with some fields changed or, for `nil`, removed.
    private func record(_ job: TransferJob, _ changes: [String: Any?]) throws -> Data {
        var fields = try #require(
            try JSONSerialization.jsonObject(with: job.record()) as? [String: Any]
        )
        for (name, value) in changes { fields[name] = value }
        return try JSONSerialization.data(withJSONObject: fields)
    }

    @Test func recordHasEverythingOfAJob() throws {
        let folder = try TemporaryDirectory()
        var job = try TransferJob.sample("ä/b “c”")
        (job.state, job.isDelivered, job.sequence) = (.failed, true, 12)
        (job.bytes, job.expectedBytes, job.attempts, job.statusCode) = (1 << 40, .max, 3, 503)
        (job.entityTag, job.validator, job.lastModified) = ("W/\"1\"", "\"1\"", "yesterday")
        (job.boot, job.responseData) = ("boot", Data([0, 255]))
        job.failure = TransferJobFailure("it was busy", code: 503, isTransient: true)
        job.moved = try PartFile(folder.path("part")).identity()
        #expect(try decoded(job.record(), like: job) == job)
        let plain = try TransferJob.sample()
        #expect(try decoded(plain.record(), like: plain) == plain)
    }

    @Test func recordOfAnEarlierVersionHasDefaultTraits() throws {
        var job = try TransferJob.sample()
        let data = try record(job, ["traits": nil as Any?])
        #expect(try decoded(data, like: job) == job)
        // Fields of a later version are ignored.
        job.bytes = 5
        let later = try record(job, ["colour": "red"])
        #expect(try decoded(later, like: job) == job)
    }

    @Test(arguments: ["id", "kind", "url", "method", "fields", "file", "created", "boot"])
    func recordWithoutARequiredFieldIsRefused(name: String) throws {
        let job = try TransferJob.sample()
        let data = try record(job, [name: nil as Any?])
        #expect(throws: DecodingError.self) { try decoded(data, like: job) }
    }

    @Test func recordOfAnUnknownKindIsRefused() throws {
        let job = try TransferJob.sample()
        let data = try record(job, ["kind": "sideload"])
        #expect(throws: DecodingError.self) { try decoded(data, like: job) }
        #expect(throws: DecodingError.self) { try decoded(Data("{".utf8), like: job) }
    }

    @Test func onlyThreeStatesAreTheEnd() throws {
        var job = try TransferJob.sample()
        let states: [TransferJob.State] = [.waiting, .moving, .finished, .failed, .cancelled]
        let isOver = states.map { state in
            job.state = state
            return job.isOver
        }
        #expect(isOver == [false, false, true, true, true])
    }
}
