#pragma once

// Signals as a state that ordinary code asks for and unwinds from.

#include <sys/types.h>
#include <armdyn/error.hpp>
#include <boost/noncopyable.hpp>

namespace armdyn {

/// Removes all that is `Unfinished` and ends the program at once.
[[noreturn]] void end_suddenly(int exit_code);

/// Request of the user or the system to end the program (exit code 130).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

/// Makes SIGINT, SIGTERM, SIGHUP and SIGALRM only set `interrupted()`, unless they were ignored
/// before, and gives the program 0.2 s to unwind; then it ends with exit code 130, wherever it is.
/// This end, and that by any other signal that can be caught, removes all that is `Unfinished`. A
/// closed pipe and a file that has grown too large are errors of write(), not signals.
void install_interrupt_handlers();

/// Lifts the limit of 0.2 s for a verb that looks at `interrupted()` after each step and keeps its
/// rows so far. Another signal, later than 0.3 s after the first, ends the program at once; one
/// before that is the first again, as timeout(1) sends it.
void end_by_oneself_when_interrupted();

[[nodiscard]] bool interrupted() noexcept;

/// Sets `interrupted()` for a host with handlers of its own, as Python, without waking threads that
/// wait for an input, or ending the program.
void request_interrupt() noexcept;
/// Clears `interrupted()`.
void withdraw_interrupt() noexcept;

/// Throws Interrupted if interrupted().
void throw_if_interrupted();

enum class Ready { to_read, to_write };

/// Waits until a pipe or device can be read or written without blocking; throws Interrupted when a
/// signal comes first, whichever thread received it; with `finishes`, 0.2 s after the signal.
void wait_until_ready(int descriptor, Ready what, bool finishes = false);

/// Descriptor to watch, not to read: it becomes readable with the first signal, and stays so; -1
/// without handlers.
[[nodiscard]] int interrupt_descriptor() noexcept;

/// An unfinished file, or group of processes, which a signal that ends the program removes, or kills.
/// At most eight at once; more are not removed.
class Unfinished : boost::noncopyable {
 public:
  explicit Unfinished(const std::string& file);
  explicit Unfinished(pid_t group);
  ~Unfinished();

 private:
  std::size_t place_;
};

}  // namespace armdyn
