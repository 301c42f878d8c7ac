internal import Foundation

/// The next request to load, and how to load it.
struct LoadRequest: Sendable {
    private(set) var shared: SharedRequest
    var body: TaskBody
    /// The credentials to send. `nil` if no server or proxy asked for any.
    @Indirect var authorization: Authorization? = nil
    /// Whether a redirect has left the first origin. Its credentials must not be sent any more.
    var hasLeftOrigin: Bool
    /// The names of header fields that the interceptor has added or changed. `nil` for none.
    @Indirect var adaptedFields: [String]? = nil
    /// The step of a resumable upload. `nil` for other requests.
    var upload: UploadStep?

    init(
        _ request: SharedRequest,
        body: TaskBody,
        hasLeftOrigin: Bool = false,
        upload: UploadStep? = nil
    ) {
        shared = request
        self.body = body
        self.hasLeftOrigin = hasLeftOrigin
        self.upload = upload
    }

    var request: URLRequest {
        get { shared.value }
        set { shared = SharedRequest(newValue) }
    }

    /// Returns a copy with another body.
    func with(_ body: TaskBody) -> LoadRequest {
        var plan = self
        plan.body = body
        return plan
    }
}

extension LoadRequest {
    /// The body's length in bytes; -1 if unknown. Reads the disk for a file.
    var bodyLength: Int64 {
        if case .none = body { 0 } else { body.length(of: request) }
    }

    /// The current version of the file, if its upload can be resumed. Reads the disk.
    var fileVersion: FileVersion? {
        guard upload == .whole, case .file(let url) = body else { return nil }
        return FileVersion(of: url)
    }
}

/// A request shared by a task and its loads. Copying one reference is cheaper than copying the
/// dozen references in a request.
final class SharedRequest: Sendable {
    let value: URLRequest

    init(_ value: URLRequest) {
        self.value = value
    }
}
