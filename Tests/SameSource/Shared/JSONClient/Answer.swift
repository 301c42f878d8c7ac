import Foundation

/// A decoded body and what came with it.
struct Answer<Value: Sendable>: Sendable {
    let value: Value
    let response: HTTPURLResponse

    func header(_ name: String) -> String? {
        response.value(forHTTPHeaderField: name)
    }
}
