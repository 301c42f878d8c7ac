/// What a request of an upload is for, where the server may be asked to go on with it.
enum UploadStep: Sendable, Hashable {
    /// It sends all of the body, and says that this could be gone on with later.
    case whole
    /// It asks how much the server has.
    case inquiry
    /// It sends what the server lacks.
    case rest(from: Int64)

    /// Where in the whole body that of the request begins.
    var offset: Int64 {
        if case .rest(let offset) = self { offset } else { 0 }
    }
}
