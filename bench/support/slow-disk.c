/* A disk on which each fsync takes SLOW_DISK_US microseconds longer. cc -shared -fPIC -o slow-disk.so slow-disk.c -ldl; LD_PRELOAD=… */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void rest(void) {
  char *us = getenv("SLOW_DISK_US");
  if (us) usleep(atoi(us));
}

int fsync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  rest();
  return real(fd);
}

int fdatasync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  rest();
  return real(fd);
}
