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
            /// When the latest attempt begins: the end of the notifications ends the run if it comes before.
            var attemptBegins = start
            return mix.run { cause, event, moment in
                guard case .source(let number) = cause else { return }
                if notifiers.contains(number) {
                    switch event {
                    case .next where isWaiting:
                        isWaiting = false
                        attempts += 1
                        if attempts == Self.endless { return mix.emit(.outOfFuel) }
                        attemptBegins = max(moment.step(9), idle).step(1)
                        mix.subscribe(source, at: attemptBegins)
                    case .next: break
                    case .completed where flatMap: break
                    default:
                        for other in notifiers where other != number { mix.drop(other) }
                        if isWaiting || moment < attemptBegins { mix.emit(event) } else { end = event }
                    }
                    return
                }
                guard case .error = event else { return mix.emit(event) }
                let begin = max(moment.step(9), mix.children[number].returned)
                if let end {
                    mix.react(at: begin)
                    return mix.emit(end)
                }
                mix.children[number].end(silence: moment, release: begin.step(0))
                isWaiting = true
                idle = begin.step(2)
                if flatMap { notifiers.insert(mix.subscribe(second, at: begin.step(1))) }
            }
        }
    }
}
