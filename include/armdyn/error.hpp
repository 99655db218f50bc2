#pragma once

#include <armdyn/robot.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace armdyn {

/// Base of all exceptions that armdyn throws on purpose, beside std::invalid_argument. what() is a
/// message for the user: the place, what was found, what to do. An Error of no derived class means
/// that an argument is wrong (exit code 2).
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The content of an input is wrong (exit code 3).
class InputError : public Error {
 public:
  using Error::Error;
};

/// A file cannot be opened, read or written (exit code 4).
class FileError : public Error {
 public:
  using Error::Error;
};

/// The numerics failed: singular mass matrix, divergence (exit code 5).
class NumericsError : public Error {
 public:
  using Error::Error;
};

/// A result is not a finite number, since an input is too large. The message names the result and
/// its joint.
class NotFinite : public NumericsError {
 public:
  explicit NotFinite(const std::string& why, std::size_t row = 0) : NumericsError(why), row_(row) {}

  /// Number of the sample at fault in a block, from 0.
  [[nodiscard]] std::size_t row() const { return row_; }

 private:
  std::size_t row_;
};

/// The mass matrix is not positive definite.
class SingularMassMatrix : public NumericsError {
 public:
  using NumericsError::NumericsError;
};

enum class Severity {
  warning,  ///< legal but suspicious; published parameter sets contain it
  error,    ///< the model cannot be used
};

/// An error or a suspicious value of a robot. `path` names the value as in a robot file,
/// e.g. `joints[2].dh.alpha` (entries count from 0); empty for the robot as a whole.
struct Finding {
  Severity severity = Severity::error;
  std::string path;
  std::string message;  ///< what was found, and what is expected

  // Set by readers of files; 0: not known. Both count from 1.
  int line = 0;
  int column = 0;
};

/// Checks the values of a robot against their rules (docs/robot-file.md): errors first in the order
/// of the joints, then warnings. Checks nothing else where a number is not finite. Throws only
/// std::bad_alloc.
[[nodiscard]] std::vector<Finding> check(const Robot& robot);

[[nodiscard]] bool has_error(const std::vector<Finding>& findings);

}  // namespace armdyn
