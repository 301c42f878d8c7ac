package import Curl

// Every code of libcurl is mapped on purpose: here by stage, each stage in a file of its own.
// libcurl's words are only asked where its number doesn't tell enough; an unknown wording then
// falls back to what the number alone says.
// Source: <https://curl.se/libcurl/c/libcurl-errors.html> and the behaviour of 7.88.1.

extension TransportError {
    /// The error that libcurl's code means, after what is known of the transfer.
    ///
    /// Not for what this side brought about by itself (cancelling, a limit of ours): libcurl then
    /// reports 23, 26 or 42, and the recorded reason is the error.
    package init(curlCode: CurlCode, context: FailureContext) {
        let verdict =
            Verdict(reaching: curlCode, context)
            ?? Verdict(securing: curlCode, context)
            ?? Verdict(transferring: curlCode, context)
            ?? Verdict(local: curlCode)
            ?? Verdict(.unknown, "libcurl failed in a way that has no name here")
        let errno = verdict.usesErrno && context.systemErrno != 0 ? context.systemErrno : nil
        self.init(
            verdict.code,
            phase: verdict.phase ?? context.phase,
            message: verdict.message(curlCode: curlCode, context: context, errno: errno),
            url: context.url,
            peer: context.peer,
            retry: verdict.retry,
            curlCode: curlCode.rawValue,
            systemErrno: errno,
            verifyResult: context.verifyResult != 0 ? context.verifyResult : nil,
            bytesSent: context.bytesSent,
            bytesReceived: context.bytesReceived
        )
    }
}

extension Verdict {
    /// What was wrong, where, libcurl's words, and what to do.
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
