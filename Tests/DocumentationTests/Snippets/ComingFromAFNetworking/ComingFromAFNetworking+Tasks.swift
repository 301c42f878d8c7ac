internal import CurlNetworking
internal import Foundation

extension ComingFromAFNetworking {
    func data(_ request: URLRequest) {
        // snippet: ComingFromAFNetworking/data
        let task = manager.dataTask(with: request) { response, object, error in
            print(object ?? error ?? "nothing")
        }
        task.resume()
        // end
    }

    func uploadFile(_ request: URLRequest, _ file: URL) {
        // snippet: ComingFromAFNetworking/uploadFile
        let task = manager.uploadTask(with: request, fromFile: file) { progress in
            print(progress.fractionCompleted)
        } completionHandler: { response, object, error in
            print(object ?? error ?? "nothing")
        }
        task.resume()
        // end
    }

    func uploadData(_ request: URLRequest, _ data: Data) {
        // snippet: ComingFromAFNetworking/uploadData
        let task = manager.uploadTask(with: request, from: data) { response, object, error in
            print(object ?? error ?? "nothing")
        }
        task.resume()
        // end
    }

    func uploadStream(_ url: URL, _ file: URL) {
        // snippet: ComingFromAFNetworking/uploadStream
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(url: file)
        let task = manager.uploadTask(withStreamedRequest: request) { response, object, error in
            print(object ?? error ?? "nothing")
        }
        task.resume()
        // end
    }

    func download(_ request: URLRequest, _ folder: URL) {
        // snippet: ComingFromAFNetworking/download
        let task = manager.downloadTask(with: request) { progress in
            print(progress.completedUnitCount)
        } destination: { temporaryFile, response in
            folder.appendingPathComponent(response.suggestedFilename ?? "download")
        } completionHandler: { response, file, error in
            print(error ?? file ?? "nothing")
        }
        task.resume()
        // end
    }

    func resume(_ task: URLSessionDownloadTask, _ folder: URL) {
        // snippet: ComingFromAFNetworking/resume
        task.cancel { resumeData in
            guard let resumeData else { return print("it must be downloaded again") }
            let rest = manager.downloadTask(
                withResumeData: resumeData,
                destination: { temporaryFile, response in
                    folder.appendingPathComponent(response.suggestedFilename ?? "download")
                },
                completionHandler: { response, file, error in
                    print(error ?? file ?? "nothing")
                }
            )
            rest.resume()
        }
        // end
    }

    func progress(_ task: URLSessionTask) async {
        // snippet: ComingFromAFNetworking/progress
        for await amount in manager.downloadProgressUpdates(for: task) {
            print("\(amount.completed) of \(amount.total)")
        }
        // end
    }
}
