// Task-locals name the device that a StoreKit call is about, and `Task.detached` drops them; listeners love it. In files
// that import StoreKit these take the place of the standard forms. They pass the operation through to `Task.init`, which
// copies task-locals and keeps the operation's own isolation and the order of enqueueing: a closure around it would
// put `@MainActor` operations in another order.
//
// The types must be exactly those of the standard library, or the compiler sees two candidates and takes the other one:
// hence `@concurrent`, which is what a plain `() async` means there, and `consuming`.
//
// A detached task does not take over its creator's priority, so none given means medium, as in the standard library.

extension Task where Failure == Never {
  @discardableResult
  public static func detached(
    name: String? = nil, priority: TaskPriority? = nil,
    operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    Task(name: name, priority: priority ?? .medium, operation: operation)
  }

  @discardableResult
  public static func detached(
    name: String? = nil, executorPreference taskExecutor: (any TaskExecutor)?, priority: TaskPriority? = nil,
    operation: sending @escaping @concurrent () async -> Success
  ) -> Task<Success, Never> {
    Task(name: name, executorPreference: taskExecutor, priority: priority ?? .medium, operation: operation)
  }

  @discardableResult
  public static func immediateDetached(
    name: String? = nil, priority: TaskPriority? = nil,
    executorPreference taskExecutor: consuming (any TaskExecutor)? = nil,
    @_implicitSelfCapture @_inheritActorContext(always) operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    Task.immediate(
      name: name, priority: priority ?? .medium, executorPreference: taskExecutor, operation: operation)
  }
}

extension Task where Failure == any Error {
  @discardableResult
  public static func detached(
    name: String? = nil, priority: TaskPriority? = nil,
    operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(name: name, priority: priority ?? .medium, operation: operation)
  }

  @discardableResult
  public static func detached(
    name: String? = nil, executorPreference taskExecutor: (any TaskExecutor)?, priority: TaskPriority? = nil,
    operation: sending @escaping @concurrent () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(name: name, executorPreference: taskExecutor, priority: priority ?? .medium, operation: operation)
  }

  @discardableResult
  public static func immediateDetached(
    name: String? = nil, priority: TaskPriority? = nil,
    executorPreference taskExecutor: consuming (any TaskExecutor)? = nil,
    @_implicitSelfCapture @_inheritActorContext(always) operation:
      sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task.immediate(
      name: name, priority: priority ?? .medium, executorPreference: taskExecutor, operation: operation)
  }
}
