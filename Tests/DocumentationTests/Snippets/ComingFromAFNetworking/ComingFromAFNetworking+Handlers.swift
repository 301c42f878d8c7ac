internal import CurlNetworking
internal import Foundation

extension ComingFromAFNetworking {
    // MARK: The session

    func sessionDidBecomeInvalid() {
        // snippet: ComingFromAFNetworking/sessionDidBecomeInvalid
        manager.setSessionDidBecomeInvalid { session, error in
            print("the session is over")
        }
        // end
    }

    func sessionDidReceiveChallenge() {
        // snippet: ComingFromAFNetworking/sessionDidReceiveChallenge
        manager.setSessionDidReceiveAuthenticationChallenge { session, challenge in
            (.performDefaultHandling, nil)
        }
        // end
    }

    // MARK: All tasks

    func authenticationChallenge(_ credential: URLCredential) {
        // snippet: ComingFromAFNetworking/authenticationChallenge
        manager.setAuthenticationChallengeHandler { session, task, challenge, completion in
            guard challenge.previousFailureCount == 0 else { return .cancel }
            switch challenge.protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest:
                return .use(credential)
            default:
                return .performDefaultHandling
            }
        }
        // end
    }

    func taskNeedNewBodyStream(_ file: URL) {
        // snippet: ComingFromAFNetworking/taskNeedNewBodyStream
        manager.setTaskNeedNewBodyStream { session, task in
            InputStream(url: file)
        }
        // end
    }

    func taskWillPerformHTTPRedirection() {
        // snippet: ComingFromAFNetworking/taskWillPerformHTTPRedirection
        manager.setTaskWillPerformHTTPRedirection { session, task, response, request in
            request.url?.host == task.originalRequest?.url?.host ? request : nil
        }
        // end
    }

    func taskDidSendBodyData() {
        // snippet: ComingFromAFNetworking/taskDidSendBodyData
        manager.setTaskDidSendBodyData { session, task, sent, totalSent, totalExpected in
            print("\(totalSent) of \(totalExpected)")
        }
        // end
    }

    func taskDidComplete() {
        // snippet: ComingFromAFNetworking/taskDidComplete
        manager.setTaskDidComplete { session, task, error in
            print("\(task.taskIdentifier): \(error?.localizedDescription ?? "done")")
        }
        // end
    }

    func taskDidFinishCollectingMetrics() {
        // snippet: ComingFromAFNetworking/taskDidFinishCollectingMetrics
        manager.setTaskDidFinishCollectingMetrics { session, task, metrics in
            print(metrics.taskInterval.duration)
        }
        // end
    }

    // MARK: Data tasks

    func dataTaskDidReceiveResponse() {
        // snippet: ComingFromAFNetworking/dataTaskDidReceiveResponse
        manager.setDataTaskDidReceiveResponse { session, task, response in
            response.expectedContentLength > 1 << 20 ? .cancel : .allow
        }
        // end
    }

    func dataTaskDidBecomeDownloadTask() {
        // snippet: ComingFromAFNetworking/dataTaskDidBecomeDownloadTask
        manager.setDataTaskDidBecomeDownloadTask { session, dataTask, downloadTask in
            print("\(dataTask.taskIdentifier) is \(downloadTask.taskIdentifier) now")
        }
        // end
    }

    func dataTaskDidReceiveData() {
        // snippet: ComingFromAFNetworking/dataTaskDidReceiveData
        manager.setDataTaskDidReceiveData { session, task, data in
            print(data.count)
        }
        // end
    }

    func dataTaskWillCacheResponse() {
        // snippet: ComingFromAFNetworking/dataTaskWillCacheResponse
        manager.setDataTaskWillCacheResponse { session, task, proposed in
            proposed.data.count < 100_000 ? proposed : nil
        }
        // end
    }

    // MARK: Download tasks

    func downloadTaskDidFinishDownloading(_ folder: URL) {
        // snippet: ComingFromAFNetworking/downloadTaskDidFinishDownloading
        manager.setDownloadTaskDidFinishDownloading { session, task, temporaryFile in
            task.response?.suggestedFilename.map { folder.appendingPathComponent($0) }
        }
        // end
    }

    func downloadTaskDidWriteData() {
        // snippet: ComingFromAFNetworking/downloadTaskDidWriteData
        manager.setDownloadTaskDidWriteData { session, task, written, totalWritten, expected in
            print("\(totalWritten) of \(expected)")
        }
        // end
    }

    func downloadTaskDidResume() {
        // snippet: ComingFromAFNetworking/downloadTaskDidResume
        manager.setDownloadTaskDidResume { session, task, offset, expected in
            print("continues at \(offset) of \(expected)")
        }
        // end
    }
}
