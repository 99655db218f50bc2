#include <fmt/format.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <unordered_map>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "io/table/bag_file.hpp"
#include "model/shown_text.hpp"

// The format is that of https://mcap.dev/spec.

namespace armdyn {
namespace {

using Crc = std::uint32_t;

Crc crc_on(Crc crc, std::string_view bytes) {
  return static_cast<Crc>(
      ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void require_crc(Crc found, Crc told) {
  if (told == 0 || found == told) return;  // 0: there is none
  throw InputError(fmt::format("is damaged: its CRC is {:08x}, expected {:08x}", found, told));
}

void require_size(std::uint64_t size, std::uint64_t most = largest_in_bag) {
  if (size <= most) return;
  throw InputError(fmt::format("has {} bytes, more than the {} that are read at once", size, most));
}

/// Most bytes that a compressed chunk may become: few that become many are no recording.
std::uint64_t largest_decompressed(std::uint64_t compressed) {
  constexpr std::uint64_t always = std::uint64_t{16} << 20U, times = 16;
  return std::min<std::uint64_t>(largest_in_bag, always + times * compressed);
}

/// Fills `to` from a compressed chunk; false unless all of `from` gives just that many bytes.
bool decompress(const std::string& compression, std::string_view from, std::vector<char>& to) {
  if (compression == "zstd") {
    return ZSTD_decompress(to.data(), to.size(), from.data(), from.size()) == to.size();
  }
  LZ4F_dctx* created = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&created, LZ4F_VERSION)) != 0) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(
      created, LZ4F_freeDecompressionContext);
  std::size_t made = to.size(), used = from.size();
  const std::size_t left =
      LZ4F_decompress(context.get(), to.data(), &made, from.data(), &used, nullptr);
  return left == 0 && made == to.size() && used == from.size();
}

/// Thrown if the file ends before the bytes asked for.
struct CutOff {};

class McapFile final : public BagFile {
 public:
  McapFile(InputFile& input, WantsTopic wants) : input_(input), wants_(std::move(wants)) {}

  bool next(BagMessage& message) override {
    try {
      if (before_ + at_ == 0 && take(mcap_magic.size()) != mcap_magic) throw CutOff{};
      while (!has_ended_) {
        if (read_record(message)) return true;
      }
    } catch (const CutOff&) {
      if (place_ == 0) {
        throw InputError(input_.name() + ": this is no MCAP file, which begins with \\x89MCAP0");
      }
      remark_ = fmt::format("{} is cut off in the record at byte {}; what comes before is read",
                            input_.name(), place_);
      has_ended_ = true;
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("{}: the record at byte {} {}", input_.name(), place_, error.what()));
    }
    return false;
  }

 private:
  enum Code : unsigned char {
    footer = 2,
    schema = 3,
    channel = 4,
    message_of_channel = 5,
    chunk = 6,
    attachment = 9,
    data_end = 15
  };

  /// Reads the next bytes of the file, which stay valid until the next call.
  std::string_view take(std::uint64_t size) {
    constexpr std::size_t usual = std::size_t{256} << 10U;
    while (end_ - at_ < size) {
      throw_if_interrupted();
      std::copy(buffer_.data() + at_, buffer_.data() + end_, buffer_.data());
      before_ += at_;
      end_ -= std::exchange(at_, 0);
      // The buffer grows no faster than the bytes come: a damaged length may be any number.
      const auto room =
          std::max(usual, std::min(static_cast<std::size_t>(size), 2 * buffer_.size()));
      if (buffer_.size() < room) buffer_.resize(room);
      const std::size_t count = input_.read(buffer_.data() + end_, buffer_.size() - end_);
      if (count == 0) throw CutOff{};
      end_ += count;
    }
    const std::string_view bytes(buffer_.data() + at_, static_cast<std::size_t>(size));
    at_ += bytes.size();
    crc_ = crc_on(crc_, bytes);
    return bytes;
  }

  /// Reads a record; true for a message that is wanted.
  bool read_record(BagMessage& message) {
    constexpr std::size_t head_size = 9;
    const bool is_in_chunk = !chunk_.is_at_end();
    const auto bytes = [&](std::uint64_t size) {
      return is_in_chunk ? chunk_.take(size) : take(size);
    };
    if (!is_in_chunk) place_ = before_ + at_;
    const Crc before = crc_;
    ByteFields head(bytes(head_size));
    const Crc with_head = crc_;
    const auto code = head.number<unsigned char>();
    auto size = head.number<std::uint64_t>();
    while (code == attachment && size > 0)
      size -= bytes(std::min<std::uint64_t>(size, 65536)).size();
    require_size(size);
    const std::string_view record = bytes(size);
    ByteFields content(record);
    if (code == message_of_channel) return read_message(content, message);
    if (code == schema) {
      const auto id = content.number<std::uint16_t>();
      types_[id] = content.text().substr(0, longest_bag_name + 1);
    } else if (code == channel) {
      read_channel(content);
    } else if (code == chunk) {
      if (is_in_chunk) throw InputError("has a chunk within a chunk");
      open_chunk(content);
    } else if (code == data_end && !is_in_chunk) {
      require_crc(before, content.number<Crc>());
      crc_ = 0;
    } else if (code == footer && !is_in_chunk) {
      const Crc found = crc_on(with_head, content.take(2 * sizeof(std::uint64_t)));
      require_crc(found, content.number<Crc>());
      has_ended_ = true;
      if (take(mcap_magic.size()) != mcap_magic) throw InputError("is not followed by \\x89MCAP0");
    }
    return false;
  }

  bool read_message(ByteFields content, BagMessage& message) {
    constexpr std::size_t sequence = 4, published = 8;
    const auto found = channels_.find(content.number<std::uint16_t>());
    if (found == channels_.end()) throw InputError("has a message of no channel");
    message.topic = found->second.topic;
    content.take(sequence);
    message.received = content.number<std::int64_t>();
    content.take(published);
    message.bytes = content.rest();
    count(message);
    return found->second.is_wanted;
  }

  void read_channel(ByteFields content) {
    const auto id = content.number<std::uint16_t>();
    if (channels_.contains(id)) return;  // each chunk has those of its messages
    const std::string& type = types_[content.number<std::uint16_t>()];
    const std::string name(content.text()), encoding(content.text());
    const std::size_t topic = add({name, type, encoding});
    channels_[id] = {topic, wants_ && wants_(topics_[topic])};
  }

  void open_chunk(ByteFields content) {
    content.take(2 * sizeof(std::uint64_t));  // times
    const auto size = content.number<std::uint64_t>();
    const auto crc = content.number<Crc>();
    const std::string compression(content.text());
    std::string_view records = content.take(content.number<std::uint64_t>());
    require_size(size);
    if (!compression.empty() && compression != "lz4" && compression != "zstd") {
      throw InputError("is a chunk with the compression " + shown_text(compression) +
                       "; lz4, zstd and none are read");
    }
    if (!compression.empty()) {
      require_size(size, largest_decompressed(records.size()));
      decompressed_.resize(static_cast<std::size_t>(size));
      if (!decompress(compression, records, decompressed_)) {
        throw InputError(fmt::format("is a chunk that does not decompress to {} bytes", size));
      }
      records = {decompressed_.data(), decompressed_.size()};
    }
    require_crc(crc_on(0, records), crc);
    chunk_ = ByteFields(records);
  }

  InputFile& input_;
  WantsTopic wants_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::uint64_t before_ = 0;  // bytes before the buffer
  std::uint64_t place_ = 0;   // of the record, in the file
  Crc crc_ = 0;
  bool has_ended_ = false;

  ByteFields chunk_;  // records of the present chunk
  std::vector<char> decompressed_;

  struct Channel {
    std::size_t topic = 0;
    bool is_wanted = false;
  };
  std::unordered_map<std::uint16_t, Channel> channels_;
  std::unordered_map<std::uint16_t, std::string> types_;  // by schema
};

}  // namespace

std::unique_ptr<BagFile> open_mcap(InputFile& input, WantsTopic wants) {
  return std::make_unique<McapFile>(input, std::move(wants));
}

}  // namespace armdyn
