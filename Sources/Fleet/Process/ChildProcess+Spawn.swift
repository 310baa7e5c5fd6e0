import CLinux
import Glibc
import Launch

extension ChildProcess.Configuration {
  /// Starts the process and returns its id.
  func spawn() throws(ChildProcessError) -> Int32 {
    if case .appended(let path) = output {
      let log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard log >= 0 else {
        throw .system("open the log file '\(path)'", errno: errno, code: .unwritableLog)
      }
      defer { close(log) }
      return try spawn(log: log)
    }
    return try spawn(log: nil)
  }

  private func spawn(log: Int32?) throws(ChildProcessError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    switch output {
    case .inherited: break
    case .discarded:
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    case .appended:
      posix_spawn_file_actions_adddup2(&actions, log ?? 1, 1)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    var firstToClose: Int32 = 3
    var variables = environment
    variables[Lifeline.variable] = nil
    if let lifeline {
      posix_spawn_file_actions_adddup2(&actions, lifeline.readingEnd, Lifeline.childDescriptor)
      variables[Lifeline.variable] = String(Lifeline.childDescriptor)
      firstToClose = Lifeline.childDescriptor + 1
    }
    // Descriptors that other code in this process opened without close-on-exec, a user's test for example.
    posix_spawn_file_actions_addclosefrom_np(&actions, firstToClose)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A launcher that blocks or ignores signals must not hand that on: the child could then not be ended by them.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if ownProcessGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let argumentVector = CStringVector([executable] + arguments)
    let environmentVector = CStringVector(variables.map { "\($0.key)=\($0.value)" })
    var processID: pid_t = 0
    let failure = argumentVector.withPointers { argumentPointers in
      environmentVector.withPointers { environmentPointers in
        posix_spawn(&processID, executable, &actions, &attributes, argumentPointers, environmentPointers)
      }
    }
    switch failure {
    case 0: return processID
    case ENOENT, EACCES, ENOTDIR, ENOEXEC, EISDIR, ELOOP:
      throw .system("start '\(executable)'", errno: failure, code: .notExecutable)
    default: throw .system("start '\(executable)'", errno: failure)
    }
  }
}
