internal import Curl
internal import CurlTransport
internal import Foundation

/// What a task knows, and who waits for what.
///
/// Events go in under the task's lock; what has to be done comes out as a ``TaskAction`` and is done
/// without it. There is one of a task: copying it, by oversight, would take longer than most of what it
/// is asked.
struct TaskState: ~Copyable {
    var life = TaskLife()
    var delivery = TaskDelivery()

    // MARK: Who

    /// `nil` once the task is over.
    var session: URLSession?
    /// The object that its owner has; `nil` once the task is over, and before one of an invalid session
    /// begins.
    var task: URLSessionTask?
    /// What it was before it became a download, until that is told.
    var former: URLSessionDataTask?
    var kind: TaskKind
    var consumer: TaskConsumer
    /// The task's own, as its owner set it.
    var delegate: (any URLSessionTaskDelegate)?
    /// The same, if it wants to know what the task's owner does.
    var observer: (any URLSessionTaskObserver)?
    /// Who has a say in each attempt; `nil` where there is only one, of which nobody is asked.
    var interceptor: (any URLSessionTaskInterceptor)?
    /// Found out when the task begins.
    var recipients = TaskRecipients()
    /// Of a WebSocket or stream task alone. Kept when the task is over, for what nobody has had yet.
    var extra: TaskExtra?
    /// The connection of either was ended with the task.
    var hasAbandoned = false
    /// A Swift task, and what it waits for.
    var waiter: TaskWaiter?

    // MARK: What

    let original: SharedRequest?
    var current: SharedRequest?
    /// What the delegate wants in the place of the original, now that its time has come.
    @Boxed var delayed: SharedRequest? = nil
    var body: TaskBody
    /// Why the task can't begin.
    var obstacle: TaskObstacle?
    var load: TaskLoad?
    /// What is loaded when the present load is over.
    @Boxed var next: LoadPlan? = nil
    @Boxed var question: TaskQuestion? = nil
    var redirectCount = 0
    var connectivity = ConnectivityWait()
    /// What the loads so far were, for the metrics.
    var transactions: [TaskTransaction] = []
    var authentication = AuthenticationHistory()
    /// What a server or proxy has accepted, and is to be kept for other requests.
    var accepted: [Authorization.Proof] = []
    var isStoringCredential = false
    let created = Date()
    /// When the time limit of the whole task began to count.
    var begun: MonotonicTime?

    // MARK: The response

    /// Made of what was loaded when somebody wants it.
    var madeResponse: URLResponse?
    var counts = ByteCounts()
    /// Content that nobody has taken yet, or all of it.
    var received = Data()
    /// More isn't taken until what there is has been.
    var isWindowFull = false
    var file: DownloadFile?
    /// Where the content of a download that is over is.
    var finishedFile: URL?
    /// All bytes of the file have come, and what is still to be written is written next.
    var isSealing = false
    @Boxed var resumption: ResumeData? = nil
    /// What the first attempt goes on with, and so may others.
    @Boxed var resumedFrom: ResumeData? = nil
    /// What that has led to is gone.
    var isResumptionVoid = false
    /// The server doesn't have the rest, and was asked for all.
    var hasRestarted = false
    /// Where a download goes on, until that is told.
    var resumedAt: Int64?
    var interruption = Interruption()
    /// With what the upload can be gone on with, as far as the server has offered it by now.
    @Boxed var upload: UploadResumeData? = nil
    /// What came before the response, until it is told.
    var informationalHeads: [(url: URL, head: ResponseHead)] = []
    /// Cookies of a response, which are stored before anything else is told of it.
    @Boxed var cookies: ReceivedCookies? = nil
    /// What the delegate is asked about, or will be, before it is stored.
    @Boxed var proposal: CacheProposal? = nil
    var isStoringCookies = false

    // MARK: The end

    /// How it came out is known: that is told next.
    var hasEnded = false
    var error: (any Error)?
    /// Why a load is ended from this side.
    var reason: (any Error)?
    /// The task is in line to tell something on the delegate queue.
    var isInLine = false
    /// What happens after a time, unless the task is over by then.
    var alarm: LoadTimer?

    var details = TaskDetails()

    init(
        session: URLSession?,
        request: URLRequest?,
        kind: TaskKind,
        body: TaskBody,
        consumer: TaskConsumer,
        delegate: (any URLSessionTaskDelegate)?
    ) {
        self.session = session
        self.kind = kind
        self.body = body
        self.consumer = consumer
        self.delegate = delegate
        observer = delegate.flatMap { $0 as? any URLSessionTaskObserver }
        interceptor = observer?.interceptor
        original = request.map { SharedRequest($0) }
        current = original
    }

    var originalRequest: URLRequest? { original?.value }

    var currentRequest: URLRequest? { current?.value }

    /// From so many bytes on that nobody has taken, the server has to wait.
    static let window = 256 * 1024

    /// The response, once there is one that is the task's.
    mutating func response() -> URLResponse? {
        if let madeResponse { return madeResponse }
        guard load?.isDelivering ?? false else { return nil }
        madeResponse = load?.response?.response(url: load?.plan.request.url)
        return madeResponse
    }

    /// Whether all of the content is kept in memory.
    var collectsContent: Bool {
        guard kind != .download else { return false }
        return switch consumer {
        case .dataHandler, .fileHandler, .awaited: true
        case .delegate, .stream: false
        }
    }

    /// An error of the engine's as the user is told it.
    func urlError(_ error: TransportError) -> URLError {
        URLError(error, url: currentRequest?.url ?? originalRequest?.url)
    }
}
