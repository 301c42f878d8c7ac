internal import Foundation

// What servers' answers mean (draft-ietf-httpbis-resumable-upload-05).

extension UploadResumeData {
    enum Answer: Sendable {
        /// The server has so many bytes and wants the rest.
        case goesOn(from: Int64)
        /// The server has all.
        case isComplete
        case fault(UploadFault)
    }

    /// What the response to ``inquiry`` means.
    func answer(to response: LoadedResponse) -> Answer {
        guard let statusCode = response.statusCode else {
            return .fault(.answer("isn't of HTTP"))
        }
        switch statusCode {
        case 200...299: break
        case 404, 410: return .fault(.gone(statusCode))
        default: return .fault(.status(statusCode))
        }
        guard let offset = UploadProtocol.offset(response.values(of: UploadProtocol.offsetField))
        else { return .fault(.answer("doesn't say how much of the upload there is")) }
        guard offset <= length else {
            return .fault(.answer("says that it has \(offset) of \(length) bytes"))
        }
        guard offset >= acknowledged else {
            let words = "has \(offset) bytes, after it had said that it has \(acknowledged)"
            return .fault(.answer(words))
        }
        let isComplete = UploadProtocol.isComplete(
            response.values(of: UploadProtocol.completeField)
        )
        guard isComplete == true else { return .goesOn(from: offset) }
        guard offset == length else {
            return .fault(.answer("says that it has all, and \(offset) of \(length) bytes"))
        }
        return .isComplete
    }

    /// Why the response to the request for the rest isn't the upload's; `nil` where it is.
    ///
    /// What the upload itself has brought about may have any status. A server that has the upload says
    /// so with it.
    func fault(of response: LoadedResponse) -> UploadFault? {
        guard let statusCode = response.statusCode else { return nil }
        let offset = response.values(of: UploadProtocol.offsetField)
        let isComplete = response.values(of: UploadProtocol.completeField)
        switch statusCode {
        case 200...299 where UploadProtocol.isComplete(isComplete) == false:
            return .status(statusCode, "and says that something is missing")
        case 404, 410:
            return offset.isEmpty && isComplete.isEmpty ? .gone(statusCode) : nil
        case 409 where !offset.isEmpty && UploadProtocol.isComplete(isComplete) != true:
            return .status(statusCode, "as it has another number of bytes than it had said")
        default:
            return nil
        }
    }
}

extension UploadFault {
    /// The server doesn't have the upload any more.
    fileprivate static func gone(_ statusCode: Int) -> UploadFault {
        UploadFault(
            .resourceUnavailable,
            "the server doesn't have the interrupted upload any more (status \(statusCode)): it has "
                + "dropped it, or has completed it; begin it anew if it is missing.",
            isFinal: true
        )
    }

    /// The server can't answer, or doesn't want to, at the moment.
    fileprivate static func status(_ statusCode: Int, _ words: String? = nil) -> UploadFault {
        let words = words.map { ", \($0)" } ?? ""
        return UploadFault(
            .badServerResponse,
            "the server was asked to go on with an upload and answered with the status "
                + "\(statusCode)\(words); it may be asked again.",
            isFinal: false
        )
    }

    /// The server's words make no sense.
    fileprivate static func answer(_ words: String) -> UploadFault {
        UploadFault(
            .badServerResponse,
            "the server was asked to go on with an upload, and its answer \(words); "
                + "begin the upload anew.",
            isFinal: true
        )
    }
}
