/// How far a request's body has come: equal values mean that no byte has left in between.
struct UploadProgress: Equatable {
    /// Bytes that libcurl has given to the kernel.
    var handedToKernel: Int64 = 0
    /// Bytes that the kernel holds, and that the peer has not acknowledged.
    var unsent = 0
}
