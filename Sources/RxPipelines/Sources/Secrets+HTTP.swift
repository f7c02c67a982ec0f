import RxDiagnostics
import RxLinux

extension Secrets {
    /// Makes the secrets that a request is sent with known.
    var observer: HTTPSecretObserver {
        { secret, content in
            switch secret {
            case .text(let text): add(content, from: "text \(text)", shownAs: "<password>")
            case .file(let path): add(content, from: "file \(path)", shownAs: "<content of \(redacted(path))>")
            }
        }
    }
}
