import RxEngine

/// A text field as a toolkit may have one: its user types, the program sets.
@MainActor final class Field: ReactiveCompatible {
    var text: String?
    /// Told what the user types.
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
    /// The text, both ways.
    var value: ControlProperty<String?> {
        let values = Observable.deferred { [weak field = base as Field] in
            guard let field else { return Observable<String?>.empty() }
            return field.typed.startWith(MainActor.assumeIsolated { field.text })
        }
        return ControlProperty(values: values, valueSink: Binder(base) { field, text in field.text = text })
    }

    /// That the user has typed.
    var edited: ControlEvent<Void> {
        ControlEvent(events: base.typed.map { _ in })
    }
}
