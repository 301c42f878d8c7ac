/// A request that many hold, as a task does and each of its loads: a reference costs less to copy than
/// the dozen of which a request consists.
final class SharedRequest: Sendable {
    let value: URLRequest

    init(_ value: URLRequest) {
        self.value = value
    }
}
