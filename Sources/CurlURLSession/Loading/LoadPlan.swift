internal import Foundation

/// What is to be loaded next, and how.
struct LoadPlan: Sendable {
    private(set) var shared: SharedRequest
    var body: TaskBody
    /// With what it is proved who the client is; `nil` where nobody asked.
    @Boxed var authorization: Authorization? = nil
    /// A redirect has led to another origin, which must not see what was meant for the first.
    var hasLeftOrigin: Bool
    /// The fields that the interceptor has added to the task's request, or changed; `nil` for none.
    @Boxed var adaptedFields: [String]? = nil
    /// What part of an upload it is; `nil` where it is none, or one that nobody goes on with.
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

    /// The same with another body.
    func with(_ body: TaskBody) -> LoadPlan {
        var plan = self
        plan.body = body
        return plan
    }
}

extension LoadPlan {
    /// How many bytes are to be sent; -1 where that isn't known. Reads the disk for a file.
    var bodyLength: Int64 {
        if case .none = body { 0 } else { body.length(of: request) }
    }

    /// The file that is sent, as it is now, where the upload may be gone on with. Reads the disk.
    var fileVersion: FileVersion? {
        guard upload == .whole, case .file(let url) = body else { return nil }
        return FileVersion(of: url)
    }
}
