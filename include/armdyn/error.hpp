#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace armdyn {

/// The base of everything that armdyn throws on purpose. what() is a message for the user: where,
/// what was found, what to do. Itself it means that an argument is wrong (exit code 2).
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

/// A result is not a finite number, since an input is too large. The message names the result, its
/// joint and the input.
class NotFinite : public NumericsError {
 public:
  explicit NotFinite(const std::string& why, std::size_t row = 0) : NumericsError(why), row_(row) {}

  /// Of a block of samples the one at fault, from 0.
  [[nodiscard]] std::size_t row() const { return row_; }

 private:
  std::size_t row_;
};

/// The mass matrix is not positive definite.
class SingularMassMatrix : public NumericsError {
 public:
  using NumericsError::NumericsError;
};

}  // namespace armdyn
