#pragma once

// Turns signals into something that ordinary code can ask for and unwind from.

#include <sys/types.h>
#include <armdyn/error.hpp>
#include <boost/noncopyable.hpp>

#include <cstddef>
#include <string>

namespace armdyn {

/// Removes what is `Unfinished` and ends the program, here and now.
[[noreturn]] void end_suddenly(int exit_code);

/// The user or the system asked the program to end (exit code 130).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

/// Makes SIGINT, SIGTERM, SIGHUP and SIGALRM only set `interrupted()`, unless they were ignored
/// before, and leaves the program 0.2 s to unwind; then it ends with exit code 130, wherever it is.
/// Every such end, and that by any other signal that can be caught and would end a program, removes
/// what is `Unfinished`. A closed pipe and a file that has grown too large are errors of write(), not
/// signals.
void install_interrupt_handlers();

/// Takes away the 0.2 s: the verb looks at `interrupted()` after each step and keeps its rows so far.
/// Another signal, later than 0.3 s after the first, ends the program at once; one before that is the
/// first again, as timeout(1) sends it.
void end_by_oneself_when_interrupted();

[[nodiscard]] bool interrupted() noexcept;

/// Sets `interrupted()` for a host that has handlers of its own, as Python. Nothing that waits for an
/// input wakes up, and the program does not end by itself.
void request_interrupt() noexcept;
/// Clears it again.
void withdraw_interrupt() noexcept;

/// Throws Interrupted if interrupted().
void throw_if_interrupted();

enum class Ready { to_read, to_write };

/// Waits until a pipe or device can be read or written without blocking; throws Interrupted when a
/// signal comes first, whichever thread received it; with `finishes`, 0.2 s after the signal.
void wait_until_ready(int descriptor, Ready what, bool finishes = false);

/// Becomes readable with the first signal, and stays so; -1 where no handlers are installed. To be
/// watched, not read.
[[nodiscard]] int interrupt_descriptor() noexcept;

/// While it exists, a signal that ends the program removes this file, which is not yet in its place,
/// or kills this group of processes. Eight at once; more are not removed.
class Unfinished : boost::noncopyable {
 public:
  explicit Unfinished(const std::string& file);
  explicit Unfinished(pid_t group);
  ~Unfinished();

 private:
  std::size_t place_;
};

}  // namespace armdyn
