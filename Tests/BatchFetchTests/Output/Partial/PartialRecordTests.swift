import Foundation
internal import HTTPSemantics
import Testing

@testable import BatchFetch

/// The record that is stored with a partial download.
@Suite struct PartialRecordTests {
    private func record(_ validator: StrongValidator) -> PartialRecord {
        PartialRecord(
            url: "http://a.example/x",
            finalURL: "http://b.example/y",
            validator: validator,
            length: 100,
            ranges: ByteRanges([0..<60]),
            durable: ByteRanges([0..<40])
        )
    }

    @Test(arguments: [
        StrongValidator.entityTag("\"a\\u0022\""),
        .lastModified("Sun, 06 Nov 1994 08:49:37 GMT"),
    ])
    func writtenRecordIsReadBack(validator: StrongValidator) {
        let record = record(validator)
        #expect(PartialRecord(record.text()) == record)
    }

    @Test(arguments: ["x", ""])
    func onlyDurableRangesCountAfterAnotherOrUnknownBoot(boot: String) throws {
        let text = record(.entityTag("\"1\"")).text(boot: boot)
        #expect(try #require(PartialRecord(text)).ranges == ByteRanges([0..<40]))
    }

    @Test(arguments: [
        "", "{", "[]", "{}",
        #"{"url":"u","final_url":"f","length":100,"ranges":[],"durable":[],"boot":"x"}"#,
        #"{"url":"u","final_url":"f","etag":"\"1\"","length":0,"ranges":[],"durable":[],"boot":"x"}"#,
        #"{"url":"u","final_url":"f","etag":"\"1\"","length":9,"ranges":[],"durable":[[0,10]],"boot":"x"}"#,
    ])
    func unusableRecordIsRejected(text: String) {
        #expect(PartialRecord(Array(text.utf8)) == nil)
    }
}
