internal import Foundation
internal import Testing

@testable internal import CurlNetworking

extension TransferJob {
    /// A download that waits for its first attempt.
    static func sample(_ id: String = "a") throws -> TransferJob {
        TransferJob(
            id: id,
            kind: .download,
            request: StorableRequest(
                url: try #require(URL(string: "http://h/path?query")),
                method: "GET",
                fields: ["X-One": "1"],
                omitted: ["Authorization"],
                timeout: 60
            ),
            file: URL(fileURLWithPath: "/nowhere/\(id)"),
            partFile: URL(fileURLWithPath: "/nowhere/.\(id).part"),
            options: [.removePreviousFile],
            created: Date(timeIntervalSinceReferenceDate: 1000)
        )
    }
}
