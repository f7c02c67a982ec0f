import RxDiagnostics
import RxLinux

extension Secrets {
    /// Registers the secrets that the requests of a source or sink contain, so that they are redacted.
    ///
    /// - Parameter place: the source or sink. Texts that templates make are different in each request; the latest ones of
    ///   a place are known.
    func observer(at place: String) -> HTTPSecretObserver {
        { secret, content in
            switch secret {
            case .text: add(content, from: "text of \(place)", shownAs: "<password>")
            case .file(let path): add(content, from: "file \(path)", shownAs: "<content of \(redacted(path))>")
            }
        }
    }
}
