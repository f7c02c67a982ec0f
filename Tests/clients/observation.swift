// modes: 5 6
// Beside the Observation module, whose protocol is called `Observable` too: `RxObservable` is ours without question, and
// so is the name with the module before it. Operators and subjects need no name.
import Observation
import RxEngine

@Observable
final class Model {
    var name = ""
}

func titles() -> RxObservable<String> {
    RxObservable.just("a").map { $0 + "b" }
}

func counts() -> RxEngine.Observable<Int> {
    titles().map { $0.count }
}
