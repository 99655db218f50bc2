// Loaded before a program's libraries (LD_PRELOAD): one call of the system or the C library, the
// k-th of its name after the libraries have begun, before the program's static objects, fails.
// ARMDYN_FAILS is "NAME:K", or "NAME:K+" where all later ones fail as well; where that call has come,
// ARMDYN_FAILED, a file, is made. Calls for large files count as the others do: open64 is an open.

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls_left{0};  // 0: none fails any more
bool all_later = false;
const char* failing = "";

template <class Function>
Function next(const char* name) {
  void* const found = ::dlsym(RTLD_NEXT, name);
  Function function = nullptr;
  std::memcpy(&function, &found, sizeof function);
  return function;
}

/// Whether this call is the one that fails.
bool fails(const char* name) {
  const std::size_t length = std::strlen(failing);
  const bool is_it = std::strncmp(name, failing, length) == 0 &&
                     (name[length] == '\0' || std::strcmp(name + length, "64") == 0);
  if (calls_left.load() <= 0 || !is_it) return false;
  if (calls_left.load() == 1 && all_later) return true;
  if (calls_left.fetch_sub(1) != (all_later ? 2 : 1)) return false;
  static const auto real_open = next<int (*)(const char*, int, ...)>("open");
  const char* const mark = ::getenv("ARMDYN_FAILED");
  if (mark != nullptr) real_open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  return true;
}

void begin() {
  const char* const wanted = ::getenv("ARMDYN_FAILS");
  const char* const colon = wanted != nullptr ? std::strchr(wanted, ':') : nullptr;
  if (colon == nullptr) return;
  static char name[32];
  std::strncpy(name, wanted, static_cast<std::size_t>(colon - wanted));
  failing = name;
  (void)next<int (*)(const char*, int, ...)>("open");
  all_later = std::strchr(colon, '+') != nullptr;
  calls_left = std::atol(colon + 1) + (all_later ? 1 : 0);
}

int (*real_main)(int, char**, char**) = nullptr;

int main_with_failures(int argc, char** argv, char** environment) {
  const int status = real_main(argc, argv, environment);
  calls_left = 0;
  return status;
}

}  // namespace

#define ARMDYN_FAILING(result, name, parameters, arguments, failure, error) \
  extern "C" result name parameters {                                       \
    if (fails(#name)) {                                                     \
      errno = error;                                                        \
      return failure;                                                       \
    }                                                                       \
    static const auto real = next<result(*) parameters>(#name);             \
    return real arguments;                                                  \
  }

ARMDYN_FAILING(ssize_t, read, (int fd, void* data, size_t size), (fd, data, size), -1, EIO)
ARMDYN_FAILING(ssize_t, pread, (int fd, void* data, size_t size, off_t at), (fd, data, size, at),
               -1, EIO)
ARMDYN_FAILING(ssize_t, pread64, (int fd, void* data, size_t size, off64_t at),
               (fd, data, size, at), -1, EIO)
ARMDYN_FAILING(int, fstat, (int fd, struct stat* status), (fd, status), -1, EIO)
ARMDYN_FAILING(int, fstat64, (int fd, struct stat64* status), (fd, status), -1, EIO)
ARMDYN_FAILING(int, stat, (const char* path, struct stat* status), (path, status), -1, EIO)
ARMDYN_FAILING(int, stat64, (const char* path, struct stat64* status), (path, status), -1, EIO)
ARMDYN_FAILING(ssize_t, write, (int fd, const void* data, size_t size), (fd, data, size), -1,
               ENOSPC)
ARMDYN_FAILING(ssize_t, pwrite, (int fd, const void* data, size_t size, off_t at),
               (fd, data, size, at), -1, ENOSPC)
ARMDYN_FAILING(int, fsync, (int fd), (fd), -1, EIO)
ARMDYN_FAILING(int, close, (int fd), (fd), -1, EIO)
ARMDYN_FAILING(int, lstat, (const char* path, struct stat* status), (path, status), -1, EACCES)
ARMDYN_FAILING(dirent*, readdir, (DIR * folder), (folder), nullptr, EIO)
ARMDYN_FAILING(int, rename, (const char* from, const char* to), (from, to), -1, EIO)
ARMDYN_FAILING(void*, mmap, (void* at, size_t size, int protection, int flags, int fd, off_t from),
               (at, size, protection, flags, fd, from), MAP_FAILED, ENOMEM)

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) noexcept {
  if (fails("pthread_create")) return EAGAIN;
  static const auto real =
      next<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return real(thread, attributes, start, argument);
}

#define ARMDYN_FAILING_OPEN(name)                                                         \
  extern "C" int name(const char* path, int flags, ...) {                                 \
    __builtin_va_list arguments;                                                          \
    __builtin_va_start(arguments, flags);                                                 \
    const mode_t mode = (flags & O_CREAT) != 0 ? __builtin_va_arg(arguments, mode_t) : 0; \
    __builtin_va_end(arguments);                                                          \
    if (fails(#name)) {                                                                   \
      errno = EMFILE;                                                                     \
      return -1;                                                                          \
    }                                                                                     \
    static const auto real = next<int (*)(const char*, int, ...)>(#name);                 \
    return real(path, flags, mode);                                                       \
  }
ARMDYN_FAILING_OPEN(open)
ARMDYN_FAILING_OPEN(open64)

// dlsym() itself asks for memory.
extern "C" void* __libc_malloc(size_t size);
extern "C" void* malloc(size_t size) noexcept {
  if (fails("malloc")) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_malloc(size);
}

extern "C" int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                 int (*init)(int, char**, char**), void (*fini)(), void (*end)(),
                                 void* stack) {
  real_main = main;
  begin();
  using Start = int (*)(int (*)(int, char**, char**), int, char**, int (*)(int, char**, char**),
                        void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(main_with_failures, argc, argv, init, fini, end, stack);
}
