internal import CurlTransport
internal import Foundation

/// What a task does next, without its lock.
enum TaskAction: ~Copyable, Sendable {
    case none
    case storeCookies(ReceivedCookies)
    case storeCredential(Authorization.Proof, URLCredentialStorage)
    case load(LoadPlan)
    /// Waits for a way to the server, if that is what was missing.
    case wait(TransportError)
    /// Nobody is there to be asked: what is usual is done.
    case decide(TaskQuestion, number: Int)
    /// Has bytes written that have come.
    case write(DownloadFile)
    /// All bytes have come.
    case seal(DownloadFile)
    /// Makes it ready for another download to go on with.
    case keep(DownloadFile)
    /// Makes resume data of it for another upload to go on with.
    case keepUpload(UploadResumeData?)
    /// Tells these of resume data, on the delegate queue.
    case handOver([ResumeDataHandler], Data?, DelegateEvents?)
    /// Resumes a Swift task.
    case wake(TaskWaiter)
    /// Those who wait for messages or bytes wait for nothing.
    case abandon(any TaskConnection)
    /// Gets in line on the delegate queue.
    case tell(DelegateEvents)
    /// Nobody is told anything: the task is over.
    case finish
}
