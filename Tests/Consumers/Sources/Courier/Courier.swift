import CurlNetworking
import Foundation

/// The program's commands.
///
/// Handlers are called on the main queue, except for progress handlers.
struct Courier: Sendable {
    let client: CourierClient

    /// Lists the letters of a page.
    func list(page: Int) {
        client.get("letters", parameters: ["page": page, "kinds": ["letter", "parcel"]]) {
            _,
            object in
            let letters = object as? [[String: any Sendable]] ?? []
            for letter in letters { print("letter:", letter["title"] as? String ?? "untitled") }
            exit(0)
        } failure: { _, error in
            fail(error)
        }
    }

    /// Sends a file as a part of a form.
    func send(_ file: URL) {
        client.post(
            "letters",
            parameters: ["title": file.deletingPathExtension().lastPathComponent],
            constructingBodyWith: { try $0.appendPart(withFileURL: file, name: "letter") },
            progress: {
                print("sent: \($0.completedUnitCount) of \($0.totalUnitCount)")
                // Flush now: a pipe would deliver it at the end.
                fflush(nil)
            }
        ) { _, object in
            let answer = object as? [String: any Sendable]
            print("number:", answer?["number"] as? Int ?? 0)
            exit(0)
        } failure: { _, error in
            fail(error)
        }
    }

    /// Downloads a letter into a file and resumes an interrupted download.
    func fetch(_ path: String, to file: URL) throws {
        client.responseSerializer = HTTPResponseSerializer()
        client.setDownloadTaskDidResume { _, _, offset, _ in print("resumed at:", offset) }
        let request = try client.requestSerializer.request(
            withMethod: .get,
            urlString: URL(string: path, relativeTo: client.baseURL)?.absoluteString ?? path,
            parameters: nil
        )
        client.downloadTask(
            with: request,
            options: .removePreviousFile,
            destination: { _, _ in file },
            completionHandler: { _, _, error in end(of: file, error, attemptsLeft: 2) }
        ).resume()
    }

    private func resume(with data: Data, to file: URL, attemptsLeft: Int) {
        client.downloadTask(
            withResumeData: data,
            options: .removePreviousFile,
            destination: { _, _ in file },
            completionHandler: { _, _, error in end(of: file, error, attemptsLeft: attemptsLeft) }
        ).resume()
    }

    private func end(of file: URL, _ error: (any Error)?, attemptsLeft: Int) {
        guard let error else {
            print("fetched:", file.lastPathComponent)
            exit(0)
        }
        guard attemptsLeft > 0, let data = (error as? URLError)?.downloadTaskResumeData else {
            return fail(error)
        }
        resume(with: data, to: file, attemptsLeft: attemptsLeft - 1)
    }

    private func fail(_ error: any Error) {
        print("failed:", (error as NSError).domain, (error as NSError).code)
        exit(1)
    }
}
