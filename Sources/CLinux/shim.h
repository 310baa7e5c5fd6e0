// What glibc has and Swift's Glibc module leaves out: getopt_long, epoll, eventfd, mallinfo2, pidfd_open and what needs
// _GNU_SOURCE.

#include <getopt.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// Swift imports no variadic functions, and glibc's own pidfd_open came only with 2.36.
static inline int clinux_pidfd_open(pid_t pid) {
  return (int)syscall(SYS_pidfd_open, pid, 0);
}

// Declared here because Swift compiles glibc's headers without _GNU_SOURCE.
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int descriptors[2], int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// getopt's state is global and mutable, which Swift refuses to touch directly.
static inline void clinux_getopt_restart(void) {
  optind = 0;
  opterr = 0;
}
static inline int clinux_getopt_index(void) { return optind; }
static inline int clinux_getopt_option(void) { return optopt; }
static inline char *clinux_getopt_argument(void) { return optarg; }

// System calls past the C library, and so past whatever was preloaded to change what it says of time.
static inline int clinux_timerfd_settime(
    int descriptor, int flags, const struct itimerspec *value, struct itimerspec *old) {
  return (int)syscall(SYS_timerfd_settime, descriptor, flags, value, old);
}
static inline int clinux_clock_gettime(clockid_t clock, struct timespec *time) {
  return (int)syscall(SYS_clock_gettime, clock, time);
}

// stdout is a mutable global for Swift.
static inline void clinux_line_buffer_output(void) { setvbuf(stdout, 0, _IOLBF, 0); }
