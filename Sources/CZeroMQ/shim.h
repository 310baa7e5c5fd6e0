#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <zmq.h>

// glibc declares it for _GNU_SOURCE only.
extern int pthread_setname_np(pthread_t thread, const char *name);
