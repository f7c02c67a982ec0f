extension Model {
    /// `source` again for each element of the notifications that comes while it waits.
    ///
    /// The notifications are subscribed to before the source. They are `second`, or, where `flatMap`, `second` once for
    /// each error.
    func retryWhen(_ source: ModelSequence, _ second: ModelSequence, flatMap: Bool) -> ModelSequence {
        ModelSequence { start in
            let mix = Mix(self, at: start)
            var notifiers: Set<Int> = []
            if !flatMap { notifiers.insert(mix.subscribe(second, at: mix.nextCall())) }
            mix.subscribe(source, at: mix.nextCall())
            var isWaiting = false
            var attempts = 1
            /// The end of the notifications, which takes the place of the next error.
            var end: ProgramEvent?
            /// When what an error sets off has been done.
            var idle = start
            return mix.run { cause, event, moment in
                guard case .source(let number) = cause else { return }
                if notifiers.contains(number) {
                    switch event {
                    case .next where isWaiting:
                        isWaiting = false
                        attempts += 1
                        if attempts == Self.endless { return mix.emit(.outOfFuel) }
                        mix.subscribe(source, at: max(moment.step(9), idle).step(1))
                    case .next: break
                    case .completed where flatMap: break
                    default: if isWaiting { mix.emit(event) } else { end = event }
                    }
                    return
                }
                guard case .error = event else { return mix.emit(event) }
                let begin = max(moment.step(9), mix.children[number].returned)
                mix.children[number].end(silence: moment, release: begin.step(0))
                if let end { return mix.emit(end) }
                isWaiting = true
                idle = begin.step(2)
                if flatMap { notifiers.insert(mix.subscribe(second, at: begin.step(1))) }
            }
        }
    }
}
