#include "io/interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace armdyn {
namespace {

std::atomic<int> signals_received{0};
std::atomic<int> alarm_pipe_out{-1};  // becomes readable with the first signal, and stays so
std::atomic<int> alarm_pipe_in{-1};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may use nothing else");

extern "C" void armdyn_on_signal(int signal_number) {
  const int saved_errno = errno;
  if (signals_received.fetch_add(1) == 0) {
    [[maybe_unused]] const ssize_t written = ::write(alarm_pipe_in.load(), "!", 1);
  } else {
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
  return signals_received.load(std::memory_order_relaxed) > 0;
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
