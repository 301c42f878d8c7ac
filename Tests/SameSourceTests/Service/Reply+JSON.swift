internal import Foundation
internal import TestSupport

extension Reply {
    static func json(_ value: some Encodable, status: Int = 200) -> Reply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(value)).map { [UInt8]($0) } ?? []
        return Reply(
            status,
            headers: [("Content-Type", "application/json")],
            body: .bytes(bytes)
        )
    }
}
