#pragma once

// Turns signals into something that ordinary code can ask for and unwind from.

#include <armdyn/error.hpp>

namespace armdyn {

/// The user or the system asked the program to end (exit code 130).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

/// From here on SIGINT, SIGTERM and SIGHUP only set `interrupted()`, unless they were ignored
/// before; another one, later than 0.3 s after the first, ends the program at once. A closed pipe
/// is an error of write(), not a signal.
void install_interrupt_handlers();

[[nodiscard]] bool interrupted() noexcept;

/// As a signal would, from a host that has handlers of its own; and takes it back.
void request_interrupt() noexcept;
void withdraw_interrupt() noexcept;

/// Throws Interrupted if so.
void throw_if_interrupted();

enum class Ready { to_read, to_write };

/// Waits until a pipe or device can be read or written without blocking; throws Interrupted when a
/// signal comes first, whichever thread received it.
void wait_until_ready(int descriptor, Ready what);

}  // namespace armdyn
