internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct DownloadTaskTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func file(_ name: String) -> URL { URL(fileURLWithPath: folder.path(name)) }

    /// Runs a download and returns its completion.
    private func download(
        _ manager: URLSessionManager,
        _ request: URLRequest,
        options: DownloadOptions = [],
        to destination: URLSessionManager.Destination?
    ) async throws -> Completion {
        let completions = EventRecorder<Completion>()
        manager.downloadTask(
            with: request,
            options: options,
            destination: destination,
            completionHandler: completions.downloadHandler
        ).resume()
        return try await completions.only()
    }

    @Test(
        "S-34, Q-03, Q-04, C-05, C-12: A file is moved to its destination, and the move is posted"
    )
    func aFileIsMoved() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let (file, queue) = (file("file"), manager.operationQueue)
        let order = EventRecorder<String>()
        let temporary = EventRecorder<URL>()
        manager.setTaskDidComplete { _, _, _ in order.record("over") }
        let task = manager.downloadTask(
            with: try server.request(),
            destination: { location, response in
                let exists = FileManager.default.fileExists(atPath: location.path)
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                order.record("\(exists) \(status) \(OperationQueue.current === queue)")
                temporary.record(location)
                return file
            }
        ) { _, path, error in
            order.record("completion \(path == file) \(error == nil)")
        }
        let recorder = NotificationRecorder(of: task) { name in
            if name == .urlSessionDownloadTaskDidMoveFileSuccessfully { order.record("moved") }
        }
        task.resume()
        let completion = try await recorder.first(.networkingTaskDidComplete)
        #expect(
            order.events == ["true 200 true", "moved", "over", "completion true true"]
        )
        #expect(try folder.read("file") == Array("hello".utf8))
        let moved = try await recorder.first(.urlSessionDownloadTaskDidMoveFileSuccessfully)
        #expect(moved.queue === queue)
        #expect(moved.keys.isEmpty)
        #expect(completion.file == file)
        #expect(completion.object as? URL == file)
        #expect(!completion.keys.contains(NetworkingTaskDidCompleteResponseDataKey))
        let left = temporary.events.filter { FileManager.default.fileExists(atPath: $0.path) }
        #expect(left.isEmpty)
    }

    @Test("S-34, C-10: Without a destination, a downloaded file is deleted")
    func withoutADestinationAFileIsNotKept() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let seen = EventRecorder<Data?>()
        manager.responseSerializer = ScriptedSerializer { _, data in
            seen.record(data)
            return (data, nil)
        }
        let completions = EventRecorder<Completion>()
        let task = manager.downloadTask(
            with: try server.request(),
            completionHandler: completions.downloadHandler
        )
        let recorder = NotificationRecorder(of: task)
        task.resume()
        let completion = try await completions.only()
        // Data isn't returned in place of a file.
        #expect(completion.object == nil)
        #expect(completion.error == nil)
        #expect(seen.events == [Data()])
        let posted = try await recorder.first(.networkingTaskDidComplete)
        #expect(posted.data == Data())
        #expect(posted.file == nil)
    }

    @Test("T-07: The body of a rejected download is in the file, with the serializer's error")
    func rejectedBodyIsInTheFile() async throws {
        let server = try LoopbackServer { _ in .text("not here", status: 404) }
        let manager = URLSessionManager.test()
        manager.responseSerializer = ScriptedSerializer { response, data in
            #expect(data == Data())
            let isFine = (response as? HTTPURLResponse)?.statusCode == 200
            return (nil, isFine ? nil : URLError(.badServerResponse))
        }
        let file = file("file")
        let completion = try await download(manager, server.request()) { _, _ in file }
        #expect(completion.file == file)
        #expect(completion.code == -1011)
        #expect(try folder.read("file") == Array("not here".utf8))
    }

    @Test("T-05: A failed download has no file")
    func aDownloadThatFailsHasNoFile() async throws {
        let server = try LoopbackServer.scripted([.readHead, .reset])
        let manager = URLSessionManager.test()
        let file = file("file")
        let completion = try await download(manager, server.request()) { _, _ in file }
        #expect(completion.file == nil)
        #expect(completion.error != nil)
    }

    @Test("S-53, C-06, Q-04: A failed move is posted and reported to the completion handler")
    func failedMoveIsReported() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        for (name, code) in [("there", CocoaError.fileWriteFileExists), ("no/folder", nil)] {
            if code != nil { try folder.write("mine", to: name) }
            let file = file(name)
            let completions = EventRecorder<Completion>()
            let task = manager.downloadTask(
                with: try server.request(),
                destination: { _, _ in file },
                completionHandler: completions.downloadHandler
            )
            let recorder = NotificationRecorder(of: task)
            task.resume()
            let completion = try await completions.only()
            #expect(completion.file == file)
            let posted = try await recorder.first(.urlSessionDownloadTaskDidFailToMoveFile)
            #expect(posted.queue === manager.operationQueue)
            let error = try #require(posted.moveError)
            #expect(completion.error as NSError? == error)
            if let code { #expect(error.code == code.rawValue) }
            // The user info of the error.
            #expect(posted.keys.isSuperset(of: error.userInfo.keys))
        }
        #expect(try folder.read("there") == Array("mine".utf8))
        #expect(try folder.contents() == ["there"])
    }

    @Test("S-53: Options replace existing files and create folders")
    func optionsReplaceFilesWhenMoving() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        try folder.write("old", to: "there")
        for (name, options) in [
            ("there", DownloadOptions.removePreviousFile),
            ("new/folder/file", .createIntermediateDirectories),
            ("new/folder/file", [.removePreviousFile, .createIntermediateDirectories]),
        ] {
            let file = file(name)
            let completion = try await download(manager, server.request(), options: options) {
                _,
                _ in file
            }
            #expect(completion.error == nil)
            #expect(try folder.read(name) == Array("hello".utf8))
        }
    }

    @Test("S-52: The handler for all downloads takes precedence over a task's destination")
    func handlerForAllDownloadsTakesPrecedence() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let (all, own) = (file("all"), file("own"))
        let asked = EventRecorder<Void>()
        let destination: URLSessionManager.Destination = { _, _ in
            asked.record(())
            return own
        }
        manager.setDownloadTaskDidFinishDownloading { _, _, _ in all }
        let first = try await download(manager, server.request(), to: destination)
        #expect(first.file == all)
        #expect(asked.events.isEmpty)
        manager.setDownloadTaskDidFinishDownloading { _, _, _ in nil }
        let second = try await download(manager, server.request(), to: destination)
        #expect(second.file == own)
        #expect(try folder.contents() == ["all", "own"])
    }

    @Test("S-54, P-05: The handler for written bytes is called after the progress handler")
    func writtenBytesAreReportedAfterProgress() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let order = EventRecorder<String>()
        manager.setDownloadTaskDidWriteData { _, _, count, total, expected in
            order.record("wrote \(count) \(total) of \(expected)")
        }
        let completions = EventRecorder<Completion>()
        manager.downloadTask(
            with: try server.request(),
            progress: { order.record("progress \($0.completedUnitCount) of \($0.totalUnitCount)") },
            completionHandler: completions.downloadHandler
        ).resume()
        _ = try await completions.only()
        #expect(order.events == ["progress 5 of 5", "wrote 5 5 of 5"])
    }

    @Test(
        "S-35, S-54, P-05: A cancelled download resumes at its last byte, and so does its progress"
    )
    func cancelledDownloadResumesAtItsLastByte() async throws {
        let content = Content.numbered(1, count: 200_000)
        let (half, size) = (content.bytes.count / 2, Int64(content.bytes.count))
        let server = try LoopbackServer { content.interruptedReply(to: $0) }
        let manager = URLSessionManager.test()
        let wrote = Gate()
        manager.setDownloadTaskDidWriteData { _, _, _, total, _ in
            if total == half { wrote.open() }
        }
        let file = file("file")
        let task = manager.downloadTask(with: try server.request(), completionHandler: nil)
        task.resume()
        try await wrote.wait()
        let data = try #require(await task.cancelByProducingResumeData())
        let offsets = EventRecorder<[Int64]>()
        manager.setDownloadTaskDidResume { _, _, offset, expected in
            offsets.record([offset, expected])
        }
        let progress = EventRecorder<[Int64]>()
        let completions = EventRecorder<Completion>()
        manager.downloadTask(
            withResumeData: data,
            progress: { progress.record([$0.completedUnitCount, $0.totalUnitCount]) },
            destination: { _, _ in file },
            completionHandler: completions.downloadHandler
        ).resume()
        #expect(try await completions.only().file == file)
        #expect(try folder.read("file") == content.bytes)
        let offset = Int64(half)
        #expect(offsets.events == [[offset, size]])
        #expect(progress.events.first == [offset, size])
        #expect(progress.events.last == [size, size])
    }

    @Test("S-35: A download with invalid resume data fails")
    func invalidResumeDataFailsTheDownload() async throws {
        let manager = URLSessionManager.test()
        let completions = EventRecorder<Completion>()
        manager.downloadTask(
            withResumeData: Data("nonsense".utf8),
            completionHandler: completions.downloadHandler
        ).resume()
        #expect(try await completions.only().error != nil)
    }
}
