internal import Foundation
internal import Testing

@testable internal import CurlURLSession

@Suite struct TaskKindStateTests {
    private let events = DelegateEvents(queue: nil)

    @Test("The connection of a WebSocket or stream task can be taken only once")
    func connectionIsTakenOnce() {
        var kinds: [TaskKindState] = [
            .webSocket(TaskWebSocket(events: events)),
            .stream(TaskStream(events: events, host: "host.test", port: 7)),
        ]
        for index in kinds.indices {
            let isTaken = kinds[index].takeAbandoned() != nil
            #expect(isTaken)
            let isTakenAgain = kinds[index].takeAbandoned() != nil
            #expect(!isTakenAgain)
        }
    }

    @Test("Data, upload and download tasks have no connection to take")
    func otherKindsHaveNoConnection() {
        for kind in [TaskKindState.data, .upload(UploadState()), .download(DownloadState())] {
            var kind = kind
            let isTaken = kind.takeAbandoned() != nil
            #expect(!isTaken)
        }
    }

    @Test("Changing the state of another kind of task has no effect")
    func otherKindIsNotChanged() {
        var kind = TaskKindState.data
        kind.download?.beginCompletion()
        kind.stream?.isCaptured = true
        #expect(kind.isData)
        kind = .download(DownloadState())
        kind.download?.beginCompletion()
        #expect(kind.download?.isCompleting == true)
    }
}
