package import Curl
internal import Posix

// Every code of libcurl is mapped explicitly: here by stage, and each stage has its own file.
// libcurl's error text is used only where its code isn't precise enough. If the text is unknown,
// the code alone decides. Source: <https://curl.se/libcurl/c/libcurl-errors.html> and the behaviour
// of 7.88.1.

extension TransportError {
    /// Maps a code of libcurl to an error.
    ///
    /// `context` contains the facts about the transfer. Not for failures that this library causes
    /// (cancellation, its own limits). libcurl then returns 23, 26 or 42, and the recorded reason
    /// is the error.
    package init(curlCode: CurlCode, context: FailureContext) {
        let mapping =
            Mapping(connecting: curlCode, context)
            ?? Mapping(tls: curlCode, context)
            ?? Mapping(transferring: curlCode, context)
            ?? Mapping(local: curlCode, context)
            ?? Mapping(.unknown, "libcurl failed with an error that this package doesn't know")
        let errno = mapping.usesErrno && context.systemErrno != 0 ? context.systemErrno : nil
        self.init(
            mapping.code,
            phase: mapping.phase ?? context.phase,
            message: mapping.message(curlCode: curlCode, context: context, errno: errno),
            url: context.url,
            peer: context.peer,
            retry: mapping.retry,
            curlCode: curlCode.rawValue,
            systemErrno: errno,
            verifyResult: context.verifyResult != 0 ? context.verifyResult : nil,
            bytesSent: context.bytesSent,
            bytesReceived: context.bytesReceived
        )
    }
}

extension TransportError.Mapping {
    /// The failure, its place, libcurl's error text, and the advice.
    fileprivate func message(
        curlCode: CurlCode,
        context: FailureContext,
        errno: Int32?
    ) -> String {
        var places: [String] = []
        if let url = context.url { places.append(Redaction.url(url)) }
        if let peer = context.peer { places.append("at \(peer)") }
        if let errno { places.append("errno \(errno)") }
        let place = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
        let detail = context.errorBuffer.isEmpty ? curlCode.description : context.errorBuffer
        let text = "\(what)\(place). libcurl says: \(Redaction.text(detail))."
        return advice.isEmpty ? text : "\(text) \(advice)"
    }
}
