#include "io/file/interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace armdyn {
namespace {

/// A signal this soon after the first is the same one: timeout(1) sends it to its child and then to
/// the group of both.
constexpr std::int64_t one_request_ns = 300'000'000;

std::atomic<std::int64_t> first_signal_ns{0};  // 0: none yet
std::atomic<int> alarm_pipe_out{-1};  // becomes readable with the first signal, and stays so
std::atomic<int> alarm_pipe_in{-1};
static_assert(std::atomic<int>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler may use nothing else");

std::int64_t monotonic_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

extern "C" void armdyn_on_signal(int signal_number) {
  const int saved_errno = errno;
  const std::int64_t now = monotonic_ns();
  std::int64_t first = 0;
  if (first_signal_ns.compare_exchange_strong(first, now)) {
    [[maybe_unused]] const ssize_t written = ::write(alarm_pipe_in.load(), "!", 1);
  } else if (now - first > one_request_ns) {
    ::signal(signal_number, SIG_DFL);
    ::raise(signal_number);
  }
  errno = saved_errno;
}

void handle_unless_ignored(int signal_number) {
  struct sigaction before = {};
  if (::sigaction(signal_number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = armdyn_on_signal;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal_number, &action, nullptr);
}

}  // namespace

void install_interrupt_handlers() {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2] = {-1, -1};
  if (alarm_pipe_in.load() >= 0 || ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
  alarm_pipe_out = ends[0];
  alarm_pipe_in = ends[1];
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) handle_unless_ignored(signal_number);
}

bool interrupted() noexcept {
  return first_signal_ns.load(std::memory_order_relaxed) != 0;
}

void request_interrupt() noexcept {
  first_signal_ns = monotonic_ns();
}

void withdraw_interrupt() noexcept {
  first_signal_ns = 0;
}

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

void wait_until_ready(int descriptor, Ready what) {
  const short events = what == Ready::to_read ? POLLIN : POLLOUT;
  // A negative descriptor, when no handlers are installed, is passed over by poll.
  pollfd watched[2] = {{descriptor, events, 0}, {alarm_pipe_out.load(), POLLIN, 0}};
  do {
    throw_if_interrupted();
  } while (::poll(watched, 2, -1) < 0 && errno == EINTR);
  throw_if_interrupted();
}

}  // namespace armdyn
