#pragma once

// Files of a bag, whatever their format: messages of many topics in the order of their recording.

#include <armdyn/error.hpp>
#include <boost/noncopyable.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

class InputFile;

inline constexpr std::size_t longest_bag_name = 255;  ///< bytes, of a topic or type

struct BagTopic {
  std::string name, type;
  std::string encoding;  ///< of its messages: "cdr"
  std::uint64_t messages = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();  ///< received, ns
  std::int64_t last = std::numeric_limits<std::int64_t>::min();

  /// Messages per second; 0 if no two came at different times.
  [[nodiscard]] double rate() const {
    constexpr double second = 1e9;
    if (first >= last) return 0.0;
    return static_cast<double>(messages - 1) * second /
           (static_cast<double>(last) - static_cast<double>(first));
  }
};

struct BagMessage {
  std::size_t topic = 0;      ///< of the file's topics
  std::int64_t received = 0;  ///< ns
  std::string_view bytes;     ///< valid until the next message is read
};

using WantsTopic = std::function<bool(const BagTopic&)>;

/// One file of a bag. All functions throw InputError, FileError, Interrupted.
class BagFile : boost::noncopyable {
 public:
  virtual ~BagFile() = default;

  /// Reads the next message of a topic that is wanted; false at the end.
  virtual bool next(BagMessage& message) = 0;
  /// Topics so far, with the number of their messages; skipped ones count only if none is wanted.
  [[nodiscard]] const std::vector<BagTopic>& topics() const { return topics_; }
  /// Remark that the file is truncated, and where; or empty.
  [[nodiscard]] const std::string& remark() const { return remark_; }

 protected:
  /// Adds a topic. Throws InputError, without a place, for too many and too long names.
  std::size_t add(BagTopic topic) {
    constexpr std::size_t most = 10'000;
    if (topics_.size() == most) throw InputError("has more than 10000 topics");
    if (std::max({topic.name.size(), topic.type.size(), topic.encoding.size()}) >
        longest_bag_name) {
      throw InputError("has a name of more than 255 bytes");
    }
    topics_.push_back(std::move(topic));
    return topics_.size() - 1;
  }
  void count(const BagMessage& message) {
    BagTopic& topic = topics_[message.topic];
    ++topic.messages;
    topic.first = std::min(topic.first, message.received);
    topic.last = std::max(topic.last, message.received);
  }

  std::vector<BagTopic> topics_;
  std::string remark_;
};

/// Opens an MCAP file or pipe.
[[nodiscard]] std::unique_ptr<BagFile> open_mcap(InputFile& input, WantsTopic wants);
/// Opens a SQLite database of rosbag2.
[[nodiscard]] std::unique_ptr<BagFile> open_db3(const std::string& path, const WantsTopic& wants);

inline constexpr std::string_view mcap_magic = "\x89MCAP0\r\n";
/// Most bytes of a message or chunk, before and after decompression.
inline constexpr std::size_t largest_in_bag = std::size_t{128} << 20U;

/// Numbers and texts of a binary record, one after the other. Throws InputError, without a place,
/// if the record ends too early.
class ByteFields {
 public:
  ByteFields() = default;
  /// Reads a record of MCAP: little-endian, packed.
  explicit ByteFields(std::string_view bytes)
      : bytes_(bytes), is_swapped_(std::endian::native == std::endian::big) {}

  /// Reads a message as ROS 2 sends and records it: Common Data Representation (XCDR1), with aligned
  /// numbers in the byte order that its head states.
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
      throw InputError("ends within its content, or has an impossible length");
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

  /// List of numbers, for `at`.
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
