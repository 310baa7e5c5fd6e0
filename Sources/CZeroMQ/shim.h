#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <zmq.h>
