import RxEngine

/// A text field as in a UI toolkit: its user types, the program sets.
@MainActor final class Field: ReactiveCompatible {
    var text: String?
    /// Emits what the user types.
    nonisolated let typed = PublishSubject<String?>()

    init(_ text: String? = nil) {
        self.text = text
    }

    deinit {
        typed.onCompleted()
    }

    func type(_ text: String?) {
        self.text = text
        typed.onNext(text)
    }
}

@MainActor extension Reactive where Base: Field {
    /// The text as a property that can be read and set.
    var value: ControlProperty<String?> {
        let values = Observable.deferred { [weak field = base as Field] in
            guard let field else { return Observable<String?>.empty() }
            return field.typed.startWith(MainActor.assumeIsolated { field.text })
        }
        return ControlProperty(values: values, valueSink: Binder(base) { field, text in field.text = text })
    }

    /// Emits when the user has typed.
    var edited: ControlEvent<Void> {
        ControlEvent(events: base.typed.map { _ in })
    }
}
