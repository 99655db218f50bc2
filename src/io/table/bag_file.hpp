#pragma once

// Bags: messages of many topics in the order of their recording, whatever the format of the file.

#include <armdyn/error.hpp>

#include <algorithm>
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

  /// Messages per second; 0 where there is no telling.
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
  std::string_view bytes;     ///< stay until the next one comes
};

using WantsTopic = std::function<bool(const BagTopic&)>;

/// One file of a bag. All functions throw InputError, FileError, Interrupted.
class BagFile {
 public:
  BagFile() = default;
  virtual ~BagFile() = default;
  BagFile(const BagFile&) = delete;
  BagFile& operator=(const BagFile&) = delete;

  /// The next message of a topic that is wanted; false at the end.
  virtual bool next(BagMessage& message) = 0;
  /// Those that came so far; all messages are counted if none is wanted.
  [[nodiscard]] const std::vector<BagTopic>& topics() const { return topics_; }
  /// That the file is cut off, and where; or empty.
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

/// MCAP, from a file or a pipe.
[[nodiscard]] std::unique_ptr<BagFile> open_mcap(InputFile& input, WantsTopic wants);
/// The SQLite database of rosbag2.
[[nodiscard]] std::unique_ptr<BagFile> open_db3(const std::string& path, const WantsTopic& wants);

inline constexpr std::string_view mcap_magic = "\x89MCAP0\r\n";
/// Bytes of a message or chunk, before and after decompression.
inline constexpr std::size_t largest_in_bag = std::size_t{128} << 20U;

}  // namespace armdyn
