internal import CurlNetworking
internal import Foundation

/// What the page "Uploading" shows.
struct Uploading: Sendable {
    let manager: HTTPSessionManager
    let print: Print

    func form(_ photo: URL, _ notes: Data) async throws {
        // snippet: Uploading/form
        let answer = try await manager.post("photos", parameters: ["album": 3]) { form in
            try form.appendPart(withFileURL: photo, name: "photo")
            form.appendPart(
                withFileData: notes,
                name: "notes",
                fileName: "notes.txt",
                mimeType: "text/plain"
            )
        }
        // end
        print(answer ?? "no answer")
    }

    func stream(_ log: URL, _ size: Int64) async throws {
        // snippet: Uploading/stream
        try await manager.post("logs") { form in
            form.appendPart(
                with: InputStream(url: log),
                name: "log",
                fileName: "service.log",
                length: size,
                mimeType: "text/plain"
            )
        }
        // end
    }

    func throttled(_ photo: URL) async throws {
        // snippet: Uploading/throttled
        try await manager.post("photos") { form in
            try form.appendPart(withFileURL: photo, name: "photo")
            form.throttleBandwidth(
                withPacketSize: kUploadStream3GSuggestedPacketSize,
                delay: kUploadStream3GSuggestedDelay
            )
        }
        // end
    }

    func written(_ url: String, _ photo: URL, _ file: URL) async throws {
        // snippet: Uploading/written
        let serializer = manager.requestSerializer
        let form = try serializer.multipartFormRequest(withMethod: .post, urlString: url) { form in
            try form.appendPart(withFileURL: photo, name: "photo")
        }
        let request = try await serializer.request(
            withMultipartFormRequest: form,
            writingStreamContentsToFile: file
        )
        let (answer, _) = try await manager.upload(for: request, fromFile: file)
        // end
        print(answer ?? "no answer")
    }

    func file(_ request: URLRequest, _ film: URL) async throws {
        // snippet: Uploading/file
        let (answer, _) = try await manager.upload(for: request, fromFile: film) { progress in
            print(progress.fractionCompleted)
        }
        // end
        print(answer ?? "no answer")
    }

    func piped(_ session: URLSession, _ source: URL, _ request: URLRequest) async throws {
        // snippet: Uploading/piped
        let (film, _) = try await session.bytes(from: source)
        let (answer, _) = try await manager.upload(for: request, from: film)
        // end
        print(answer ?? "no answer")
    }

    func restartable(_ table: String, _ request: URLRequest) async throws {
        // snippet: Uploading/restartable
        let export = UploadSequence(restartable: { rows(of: table) })
        let (answer, _) = try await manager.upload(for: request, from: export) { progress in
            print(progress.completedUnitCount)
        }
        // end
        print(answer ?? "no answer")
    }

    func resumed(_ session: URLSession, _ request: URLRequest, _ film: URL) async throws {
        // snippet: Uploading/resumed
        do {
            _ = try await session.upload(for: request, fromFile: film)
        } catch let error as URLError {
            guard let resumeData = error.uploadTaskResumeData else { throw error }
            _ = try await session.upload(resumeFrom: resumeData)
        }
        // end
    }
}

/// Exports a table row by row.
private func rows(of table: String) -> AsyncStream<Data> {
    AsyncStream { $0.finish() }
}
