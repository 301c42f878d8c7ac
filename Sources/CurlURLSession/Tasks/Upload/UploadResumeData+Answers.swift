internal import Foundation

// Interprets server responses (draft-ietf-httpbis-resumable-upload-05).

extension UploadResumeData {
    enum Answer: Sendable {
        /// The server has the bytes up to this offset, and expects the rest.
        case resumes(from: Int64)
        /// The server has the complete upload.
        case isComplete
        case fault(UploadFault)
    }

    /// Interprets the response to ``inquiry``.
    func answer(to response: LoadedResponse) -> Answer {
        guard let statusCode = response.statusCode else {
            return .fault(.answer("isn't an HTTP response"))
        }
        switch statusCode {
        case 200...299: break
        case 404, 410: return .fault(.gone(statusCode))
        default: return .fault(.status(statusCode))
        }
        guard let offset = UploadProtocol.offset(response.values(of: UploadProtocol.offsetField))
        else { return .fault(.answer("doesn't contain the upload's offset")) }
        guard offset <= length else {
            return .fault(.answer("has the offset \(offset), above the length \(length)"))
        }
        guard offset >= acknowledged else {
            let words = "has the offset \(offset), below the acknowledged \(acknowledged) bytes"
            return .fault(.answer(words))
        }
        let isComplete = UploadProtocol.isComplete(
            response.values(of: UploadProtocol.completeField)
        )
        guard isComplete == true else { return .resumes(from: offset) }
        guard offset == length else {
            return .fault(.answer("marks the upload as complete at \(offset) of \(length) bytes"))
        }
        return .isComplete
    }

    /// The reason why the response to the `PATCH` isn't the upload's response. `nil` if it is.
    ///
    /// The response of the completed upload may have any status. The upload's fields identify it.
    func fault(of response: LoadedResponse) -> UploadFault? {
        guard let statusCode = response.statusCode else { return nil }
        let offset = response.values(of: UploadProtocol.offsetField)
        let isComplete = response.values(of: UploadProtocol.completeField)
        switch statusCode {
        case 200...299 where UploadProtocol.isComplete(isComplete) == false:
            return .status(statusCode, "and marked the upload as incomplete")
        case 404, 410:
            return offset.isEmpty && isComplete.isEmpty ? .gone(statusCode) : nil
        case 409 where !offset.isEmpty && UploadProtocol.isComplete(isComplete) != true:
            return .status(statusCode, "because its offset has changed")
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
            "the server doesn't have the interrupted upload any more (status \(statusCode)): it "
                + "dropped or completed the upload; restart it if it is missing.",
            isFinal: true
        )
    }

    /// The server is temporarily unable or unwilling to answer.
    fileprivate static func status(_ statusCode: Int, _ words: String? = nil) -> UploadFault {
        let words = words.map { ", \($0)" } ?? ""
        return UploadFault(
            .badServerResponse,
            "the server answered the request to resume an upload with the status "
                + "\(statusCode)\(words); retry with the same resume data.",
            isFinal: false
        )
    }

    /// The server's answer is invalid.
    fileprivate static func answer(_ words: String) -> UploadFault {
        UploadFault(
            .badServerResponse,
            "the server's response to the request to resume an upload \(words); "
                + "restart the upload.",
            isFinal: true
        )
    }
}
