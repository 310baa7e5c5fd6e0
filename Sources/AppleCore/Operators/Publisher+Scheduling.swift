extension Publisher {
  /// Delivers on a scheduler, in order.
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { downstream in
      self.sink(
        receiveCompletion: { completion in scheduler.schedule(options: options) { downstream.completion(completion) } },
        receiveValue: { value in scheduler.schedule(options: options) { downstream.value(value) } })
    }
  }

  /// Subscribes on a scheduler.
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { downstream in
      let upstream = Locked<AnyCancellable?>(nil)
      let isCancelled = Locked(false)
      scheduler.schedule(options: options) {
        guard !isCancelled.withLock({ $0 }) else { return }
        let subscription = self.sink(receiveCompletion: downstream.completion, receiveValue: downstream.value)
        upstream.withLock { $0 = subscription }
      }
      return AnyCancellable {
        isCancelled.withLock { $0 = true }
        upstream.withLock { $0 }?.cancel()
      }
    }
  }

  /// A value once no other has come for that long.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { downstream in
      let latest = Locked<(number: Int, value: Output?)>((0, nil))
      func take(_ number: Int?) -> Output? {
        latest.withLock { latest in
          guard number == nil || number == latest.number else { return nil }
          defer { latest.value = nil }
          return latest.value
        }
      }
      return self.sink(
        receiveCompletion: { completion in
          scheduler.schedule(options: options) {
            if case .finished = completion, let value = take(nil) { downstream.value(value) }
            downstream.completion(completion)
          }
        },
        receiveValue: { value in
          let number = latest.withLock { latest in
            latest = (latest.number + 1, value)
            return latest.number
          }
          scheduler.schedule(after: scheduler.now.advanced(by: dueTime), options: options) {
            if let value = take(number) { downstream.value(value) }
          }
        })
    }
  }

  /// Everything later by that much.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { downstream in
      self.sink(
        receiveCompletion: { completion in
          scheduler.schedule(after: scheduler.now.advanced(by: interval), options: options) {
            downstream.completion(completion)
          }
        },
        receiveValue: { value in
          scheduler.schedule(after: scheduler.now.advanced(by: interval), options: options) {
            downstream.value(value)
          }
        })
    }
  }
}
