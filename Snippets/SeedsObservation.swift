// The samples of RxSwift's Getting Started about properties and lifetimes of objects, with Observation in place of KVO.

import Observation
import RxEngine
import RxEngineFoundation

@Observable
final class Screen: LifetimeHost {
    var width: Int
    weak var next: Screen?
    @ObservationIgnored let lifetime = Lifetime()

    var rx: Reactive<Screen> { Reactive(self) }

    init(width: Int) { self.width = width }
}

func observeScreen() {
    let screen = Screen(width: 320)
    _ = screen.rx.observe(\.width, retainSelf: false)
        .take(until: screen.rx.deallocated)
        .subscribe(onNext: { print("width:", $0) }, onCompleted: { print("the screen is gone") })
    // A property of another object, which may be missing.
    _ = screen.rx.observeWeakly(\.next, \.width).map { $0.map(String.init) ?? "none" }
        .subscribe(onNext: { print("width of the next screen:", $0) })
    screen.width = 480
    let next = Screen(width: 600)
    screen.next = next
    next.width = 800
    screen.next = nil
    withExtendedLifetime((screen, next)) {}
}
observeScreen()

// Prints:
// width: 320
// width of the next screen: none
// width: 480
// width of the next screen: 600
// width of the next screen: 800
// width of the next screen: none
// the screen is gone
