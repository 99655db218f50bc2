#pragma once

#include <boost/noncopyable.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace armdyn {

/// A place for bytes, one behind the other: a file, a pipe, memory.
class ByteSink : boost::noncopyable {
 public:
  virtual ~ByteSink() = default;

  virtual void write(std::string_view bytes) = 0;

  /// Makes the beginning, once all is written, what `make` returns for the number of bytes. Throws
  /// FileError where that cannot be.
  virtual void replace_beginning(std::function<std::string(std::uintmax_t written)> make) = 0;

  /// Name for messages, by whose ending a table has its format.
  [[nodiscard]] virtual const std::string& name() const = 0;

  /// Tests whether readers of the table find its columns by their names, whatever their order.
  [[nodiscard]] virtual bool needs_names() const { return false; }
};

}  // namespace armdyn
