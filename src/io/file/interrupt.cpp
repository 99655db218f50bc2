#include "io/file/interrupt.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>

namespace armdyn {

namespace {

constexpr std::int64_t ms = 1'000'000;  // in ns

/// Time after the first signal in which another one is the same: timeout(1) sends it to its child and
/// then to the group of both.
constexpr std::int64_t one_request = 300 * ms;

/// Time after the first signal at which the program ends, wherever it is.
constexpr std::int64_t time_to_unwind = 200 * ms;

std::atomic<std::int64_t> first_signal_ns{0};  // 0: none yet
std::atomic<int> alarm_pipe_out{-1};  // becomes readable with the first signal, and stays so
std::atomic<int> alarm_pipe_in{-1};
std::atomic<bool> ends_by_itself{false};
timer_t deadline_timer{};
static_assert(std::atomic<int>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler may use nothing else");

/// Target of an Unfinished; free where both are empty.
struct Claim {
  std::array<char, PATH_MAX> file{};
  pid_t group = 0;
};
std::array<Claim, 8> claims;
std::atomic_flag claims_are_held = ATOMIC_FLAG_INIT;

sigset_t all_signals() {
  sigset_t all;
  ::sigfillset(&all);
  return all;
}

/// Lock of the claims. With signals blocked, a handler never waits for the thread it interrupted.
class HeldClaims : boost::noncopyable {
 public:
  HeldClaims() {
    const sigset_t all = all_signals();
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
    while (claims_are_held.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~HeldClaims() {
    claims_are_held.clear(std::memory_order_release);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_{};
};

/// Takes a place among the claims; one past the last where none is free.
std::size_t claim(std::string_view file, pid_t group) {
  const HeldClaims held;
  const auto free = std::ranges::find_if(
      claims, [](const Claim& one) { return one.file[0] == '\0' && one.group == 0; });
  if (free != claims.end() && file.size() < PATH_MAX) {
    *std::ranges::copy(file, free->file.begin()).out = '\0';
    free->group = group;
  }
  return static_cast<std::size_t>(free - claims.begin());
}

void take_unfinished_along() {
  const HeldClaims held;
  for (const Claim& one : claims) {
    if (one.file[0] != '\0') ::unlink(one.file.data());
    if (one.group != 0) ::kill(-one.group, SIGKILL);
  }
}

std::int64_t monotonic_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 * ms + now.tv_nsec;
}

extern "C" void armdyn_on_fatal_signal(int signal_number) {
  take_unfinished_along();
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

extern "C" void armdyn_on_deadline(int signal_number, siginfo_t* info, void*) {
  if (info->si_code != SI_TIMER) {
    armdyn_on_fatal_signal(signal_number);
  } else if (!ends_by_itself.load()) {
    end_suddenly(130);
  }
}

extern "C" void armdyn_on_signal(int signal_number) {
  const int saved_errno = errno;
  const std::int64_t now = monotonic_ns();
  std::int64_t first = 0;
  if (first_signal_ns.compare_exchange_strong(first, now)) {
    [[maybe_unused]] const ssize_t written = ::write(alarm_pipe_in.load(), "!", 1);
    const itimerspec deadline{{}, {0, time_to_unwind}};
    ::timer_settime(deadline_timer, 0, &deadline, nullptr);
  } else if (now - first > one_request) {
    armdyn_on_fatal_signal(signal_number);
  }
  errno = saved_errno;
}

/// Handles a signal, unless it is ignored, or has another handler, of a sanitizer or profiler.
void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action = {};
  if (::sigaction(signal_number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action = {};
  action.sa_handler = handler;
  action.sa_mask = all_signals();
  ::sigaction(signal_number, &action, nullptr);
}

/// Makes the timer, by a signal that has no other use: timers outside the program send SIGALRM.
bool make_deadline_timer() {
  struct sigaction action = {};
  action.sa_sigaction = armdyn_on_deadline;
  action.sa_flags = SA_SIGINFO;
  action.sa_mask = all_signals();
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  return ::sigaction(SIGRTMIN, &action, nullptr) == 0 &&
         ::timer_create(CLOCK_MONOTONIC, &event, &deadline_timer) == 0;
}

}  // namespace

void install_interrupt_handlers() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  int ends[2] = {-1, -1};
  if (alarm_pipe_in.load() >= 0 || !make_deadline_timer() ||
      ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    return;
  }
  alarm_pipe_out = ends[0];
  alarm_pipe_in = ends[1];
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) {
    handle(number, armdyn_on_signal);
  }
  constexpr std::array harmless{SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH};
  for (int number = 1; number <= SIGRTMAX; ++number) {
    if (std::ranges::count(harmless, number) == 0) handle(number, armdyn_on_fatal_signal);
  }
}

void end_by_oneself_when_interrupted() {
  ends_by_itself = true;
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

int interrupt_descriptor() noexcept {
  return alarm_pipe_out.load();
}

void wait_until_ready(int descriptor, Ready what, bool finishes) {
  const short events = what == Ready::to_read ? POLLIN : POLLOUT;
  // Without handlers the descriptor is negative, and poll ignores it.
  std::array<pollfd, 2> watched{{{descriptor, events, 0}, {interrupt_descriptor(), POLLIN, 0}}};
  for (;;) {
    const std::int64_t first = first_signal_ns.load();
    const std::int64_t left = first == 0 ? 0 : first + time_to_unwind - monotonic_ns();
    if (first != 0 && (!finishes || left <= 0)) throw Interrupted();
    if (first != 0) watched[1].fd = -1;
    const int timeout = first == 0 ? -1 : static_cast<int>(left / ms) + 1;
    const int ready = ::poll(watched.data(), watched.size(), timeout);
    if (ready > 0 && watched[0].revents != 0 && (finishes || watched[1].revents == 0)) return;
    if (ready < 0 && errno != EINTR) return;
  }
}

void end_suddenly(int exit_code) {
  take_unfinished_along();
  ::_exit(exit_code);
}

Unfinished::Unfinished(const std::string& file) : place_(claim(file, 0)) {}

Unfinished::Unfinished(pid_t group) : place_(claim("", group)) {}

Unfinished::~Unfinished() {
  if (place_ == claims.size()) return;
  const HeldClaims held;
  claims[place_] = {};
}

}  // namespace armdyn
