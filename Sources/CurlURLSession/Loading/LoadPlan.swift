internal import Foundation

/// What is to be loaded next, and how.
struct LoadPlan: Sendable {
    var request: URLRequest
    var body: TaskBody
    /// With what it is proved who the client is; `nil` where nobody asked.
    var authorization: Authorization?
    /// A redirect has led to another origin, which must not see what was meant for the first.
    var hasLeftOrigin = false
    /// What part of an upload it is; `nil` where it is none, or one that nobody goes on with.
    var upload: UploadStep?

    /// The same with another body.
    func with(_ body: TaskBody) -> LoadPlan {
        var plan = self
        plan.body = body
        return plan
    }
}

extension LoadPlan {
    /// The file that is sent, as it is now, where the upload may be gone on with. Reads the disk.
    var fileVersion: FileVersion? {
        guard upload == .whole, case .file(let url) = body else { return nil }
        return FileVersion(of: url)
    }
}
