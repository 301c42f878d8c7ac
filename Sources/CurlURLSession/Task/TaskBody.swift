internal import Foundation

/// Where a task's request body comes from.
enum TaskBody: Sendable {
    case none
    case data(Data)
    case file(URL)
    /// What follows so many bytes of a file.
    case fileRest(URL, from: Int64)
    /// Can be read once.
    case stream(BodyStream)
    /// The delegate is asked for a stream.
    case asked

    init(_ content: BodyContent) {
        switch content {
        case .none: self = .none
        case .data(let data): self = .data(data)
        case .stream(let stream): self = .stream(stream)
        }
    }

    /// What there is to send when all of it has to be sent once more.
    var forAnotherTime: TaskBody {
        if case .stream = self { .asked } else { self }
    }

    var isAsked: Bool {
        if case .asked = self { true } else { false }
    }
}
