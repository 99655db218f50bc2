#pragma once

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace armdyn {

/// Numbers and texts of a binary record, one after the other. Throws InputError, without a place,
/// where it ends before.
class ByteFields {
 public:
  ByteFields() = default;
  /// A record of MCAP: little-endian, packed.
  explicit ByteFields(std::string_view bytes)
      : bytes_(bytes), is_swapped_(std::endian::native == std::endian::big) {}

  /// A message as ROS 2 sends and records it: Common Data Representation (XCDR1), numbers aligned
  /// and in either byte order, which the message tells.
  [[nodiscard]] static ByteFields of_cdr(std::string_view message) {
    constexpr std::string_view big("\0\0", 2), little("\0\1", 2);
    constexpr std::size_t head = 4;
    const std::string_view order = message.substr(0, 2);
    if (message.size() < head || (order != big && order != little)) {
      throw InputError("is not encoded as plain CDR, which begins with the bytes 0, 0 or 0, 1");
    }
    ByteFields fields(message.substr(head));
    fields.is_swapped_ ^= order == big;
    fields.is_aligned_ = true;
    return fields;
  }

  [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }

  std::string_view take(std::uint64_t size) {
    if (at_ > bytes_.size() || size > bytes_.size() - at_) {
      throw InputError("ends within its content, or tells a length that cannot be");
    }
    at_ += static_cast<std::size_t>(size);
    return bytes_.substr(at_ - static_cast<std::size_t>(size), static_cast<std::size_t>(size));
  }

  std::string_view rest() { return take(bytes_.size() - at_); }

  template <class Number>
  [[nodiscard]] Number number() {
    align(sizeof(Number));
    return value<Number>(take(sizeof(Number)).data());
  }

  [[nodiscard]] std::string_view text() {
    std::string_view text = take(number<std::uint32_t>());
    if (text.ends_with('\0')) text.remove_suffix(1);
    return text;
  }

  /// A list of numbers, for `at`.
  struct Numbers {
    const char* first = nullptr;
    std::size_t count = 0;
  };
  [[nodiscard]] Numbers numbers() {
    const std::size_t count = number<std::uint32_t>();
    if (count > 0) align(sizeof(double));
    return {take(std::uint64_t{count} * sizeof(double)).data(), count};
  }
  [[nodiscard]] double at(const Numbers& numbers, std::size_t k) const {
    return value<double>(numbers.first + k * sizeof(double));
  }

 private:
  void align(std::size_t size) {
    if (is_aligned_) at_ += (size - at_ % size) % size;
  }

  template <class Number>
  [[nodiscard]] Number value(const char* from) const {
    std::array<char, sizeof(Number)> bytes;
    std::copy_n(from, bytes.size(), bytes.begin());
    if (is_swapped_) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<Number>(bytes);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_swapped_ = false, is_aligned_ = false;
};

}  // namespace armdyn
