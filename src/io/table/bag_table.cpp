#include "io/table/bag_table.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

#include "io/file/interrupt.hpp"
#include "math/each.hpp"
#include "model/limits_of_input.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {
namespace {

constexpr std::string_view db3_magic = "SQLite format 3", ros1_magic = "#ROSBAG",
                           zstd_magic = "\x28\xB5\x2F\xFD";
constexpr std::array bag_endings{".mcap", ".db3", ".bag", ".mcap.zstd", ".db3.zstd"};
constexpr std::array<std::string_view, 3> bag_types{"sensor_msgs/msg/JointState",
                                                    "trajectory_msgs/msg/JointTrajectory",
                                                    "geometry_msgs/msg/WrenchStamped"};
constexpr std::array<std::string_view, 3> bag_rows{"joint states", "trajectory", "contact wrench"};
constexpr const char* no_topic = "no topic has messages of joint states or trajectories in CDR";
constexpr std::array quantities{"position", "velocity", "acceleration", "effort", "wrench"};
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

bool has_bag_name(std::string_view path) {
  return std::ranges::any_of(bag_endings, [&](const char* end) { return path.ends_with(end); });
}

bool has_joints(const BagTopic& topic) {
  return !rows_of(topic).empty() && rows_of(topic) != bag_rows.back();
}

/// Throws FileError where the system fails; a wrong name is reported where it is opened.
bool is_regular_file(const std::string& path) {
  constexpr std::array of_the_name{ENOENT, ENOTDIR, EACCES, ENAMETOOLONG, ELOOP};
  std::error_code error;
  const bool is_regular = std::filesystem::is_regular_file(path, error);
  if (!error || std::ranges::count(of_the_name, error.value()) > 0) return is_regular;
  throw FileError(fmt::format("cannot read {}: {}", in_one_line(path), error.message()));
}

/// First bytes of a file; none for a pipe other than standard input.
std::string first_bytes(const std::string& path) {
  constexpr std::size_t enough = 16;
  if (path == "-") return peek_standard_input(enough);
  return is_regular_file(path) ? InputFile(path).read(enough) : "";
}

/// The name that messages have for a file.
std::string name_of(const std::string& path) {
  return path == "-" ? "standard input" : in_one_line(path);
}

/// Files of a bag in the order of their recording: bag_2.db3 before bag_10.db3.
std::vector<std::string> files_of_bag(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return {path};
  std::vector<std::string> files;
  for (const std::string& name : names_in(path)) {
    if (has_bag_name(name)) files.push_back(std::filesystem::path(path) / name);
  }
  if (files.empty()) throw InputError(in_one_line(path) + ": this bag has no .db3 or .mcap file");
  std::ranges::sort(files, {},
                    [](const std::string& file) { return std::pair(file.size(), file); });
  return files;
}

std::unique_ptr<BagFile> open_bag_file(const std::string& path, InputFile& input,
                                       WantsTopic wants) {
  const std::string bytes = first_bytes(path);
  const auto refuse = [&](const char* why) { throw InputError(input.name() + ": " + why); };
  if (bytes.empty() && input.is_regular()) refuse("the file is empty");
  if (bytes.starts_with(ros1_magic)) {
    refuse("this is a bag of ROS 1, which is not read; rosbags-convert makes one of ROS 2 of it");
  }
  if (bytes.starts_with(zstd_magic)) {
    refuse("this file is compressed as a whole, which is not read; zstd -d decompresses it");
  }
  if (!bytes.starts_with(db3_magic)) return open_mcap(input, std::move(wants));
  if (path == "-") refuse("a .db3 is not read from standard input; name the file");
  return open_db3(path, wants);
}

/// Writes "/joint_states (sensor_msgs/msg/JointState, 3441 messages, 125 Hz), /tf (..)".
std::string list_of(const std::vector<BagTopic>& topics) {
  constexpr std::size_t most = 20;
  const auto text = [](const BagTopic& topic) {
    return fmt::format(
        "{} ({}, {}, {:.4g} Hz{})", in_one_line(topic.name), in_one_line(topic.type),
        counted(topic.messages, "message"), topic.rate(),
        topic.encoding == "cdr" ? "" : ", encoded as " + in_one_line(topic.encoding));
  };
  return listed(each(topics, text), most);
}

std::int64_t nanoseconds_of(ByteFields& message) {
  const auto seconds = message.number<std::int32_t>();
  return std::int64_t{seconds} * 1'000'000'000 + message.number<std::uint32_t>();
}

std::int64_t sum_of(std::int64_t stamp, std::int64_t from_start) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(stamp, from_start, &sum)) return sum;
  throw InputError("has a time that 64 bits do not hold");
}

}  // namespace

bool is_bag(const std::string& path) {
  std::error_code ignored;
  if (path == "-") wait_until_ready(STDIN_FILENO, Ready::to_read);
  const std::string bytes = first_bytes(path);
  return has_bag_name(path) || std::filesystem::exists(path + "/metadata.yaml", ignored) ||
         bytes.starts_with(mcap_magic) || bytes.starts_with(db3_magic) ||
         bytes.starts_with(ros1_magic);
}

BagContent survey_bag(const std::string& path) {
  BagContent content;
  for (const std::string& file : files_of_bag(path)) {
    InputFile input(file);
    const std::unique_ptr<BagFile> bag = open_bag_file(file, input, nullptr);
    for (BagMessage message; bag->next(message);) {
    }
    if (!bag->remark().empty()) content.remarks.push_back(bag->remark());
    for (const BagTopic& more : bag->topics()) {
      const auto known = std::ranges::find_if(content.topics, [&](const BagTopic& topic) {
        return topic.name == more.name && topic.type == more.type;
      });
      if (known == content.topics.end()) {
        content.topics.push_back(more);
      } else {
        known->messages += more.messages;
        known->first = std::min(known->first, more.first);
        known->last = std::max(known->last, more.last);
      }
    }
  }
  return content;
}

std::string_view rows_of(const BagTopic& topic) {
  const auto found = std::ranges::find(bag_types, topic.type);
  if (found == bag_types.end() || topic.encoding != "cdr") return {};
  return bag_rows[static_cast<std::size_t>(found - bag_types.begin())];
}

BagMessages::BagMessages(std::string path, std::vector<std::string> topics)
    : path_(std::move(path)),
      topics_(std::move(topics)),
      files_(files_of_bag(path_)),
      is_pipe_(files_.front() == path_ && !is_regular_file(path_)) {}

void BagMessages::refuse(const std::string& why) const {
  std::string list;
  if (!is_pipe_) list = "; the bag has " + list_of(survey_bag(path_).topics);
  throw InputError(name_of(path_) + ": " + why + list);
}

void BagMessages::choose_topic() {
  for (const BagTopic& topic : survey_bag(path_).topics) {
    if (has_joints(topic) && topic.messages > 0) topics_.push_back(topic.name);
  }
  if (topics_.empty()) refuse(no_topic);
  if (topics_.size() > 1) refuse("several topics have joints; --topic NAME selects one");
}

void BagMessages::look_at(const BagMessage& message, const BagTopic& topic) {
  looked_at_.push_back({message, std::string(message.bytes), topic});
}

void BagMessages::go_to_begin() {
  held_.clear();
  remarks_.clear();
  bag_.reset();
  file_ = 0;
}

bool BagMessages::is_wanted(const BagTopic& topic) {
  const bool is_asked_for = std::ranges::find(topics_, topic.name) != topics_.end();
  if (topics_.empty() ? !has_joints(topic) : !is_asked_for) return false;
  if (rows_of(topic).empty()) {
    throw InputError(
        fmt::format("has on the topic {} messages of {}, encoded as {}; {}, encoded as "
                    "cdr, are read",
                    shown_text(topic.name), shown_text(topic.type), shown_text(topic.encoding),
                    fmt::join(bag_types, ", ")));
  }
  std::string& known = has_joints(topic) ? joints_topic_ : wrench_topic_;
  if (!known.empty() && known != topic.name) {
    throw InputError(
        fmt::format("has several topics of one kind, {} and {}; --topic NAME selects one",
                    shown_text(known), shown_text(topic.name)));
  }
  known = topic.name;
  return true;
}

const BagTopic* BagMessages::next(BagMessage& message) {
  if (!held_.empty()) {
    present_ = std::move(held_.front());
    held_.pop_front();
    message = present_.message;
    message.bytes = present_.bytes;
    return &present_.topic;
  }
  for (;;) {
    if (bag_ && bag_->next(message)) return &bag_->topics()[message.topic];
    if (bag_ && !bag_->remark().empty()) remarks_.push_back(bag_->remark());
    bag_.reset();
    if (file_ == files_.size()) return nullptr;
    const std::string& path = files_[file_++];
    input_ = std::make_unique<InputFile>(path);
    bag_ = open_bag_file(path, *input_, [this](const BagTopic& topic) { return is_wanted(topic); });
  }
}

BagTable::BagTable(std::string path, std::vector<std::string> topics,
                   const std::vector<std::string>& joints, BlockLimits limits)
    : MadeTable(name_of(path)), messages_(std::move(path), std::move(topics)), limits_(limits) {
  wrench_.fill(not_known);
  const std::vector<std::string>& read = messages_.topics();
  if (read.empty() && !messages_.is_pipe()) messages_.choose_topic();
  find_joints(joints);
  if (!messages_.is_pipe()) find_quantities();
  fill(first_);
  if (before_first_ > 0 && rows_ == 0) messages_.refuse("no message has numbers");
  if (rows_ == 0) {
    messages_.refuse(read.empty() ? no_topic : fmt::format("no rows on {}", fmt::join(read, ", ")));
  }
  name_columns();
}

/// Takes the joints of the first message that names all of the robot's, else of that which names
/// most, else of the first with any.
void BagTable::find_joints(const std::vector<std::string>& joints) {
  constexpr std::size_t most_messages = 100, most_bytes = std::size_t{1} << 20U;
  std::size_t bytes = 0, most_named = 0;
  BagMessage message;
  std::vector<std::string> best;
  while (messages_.looked_at() < most_messages && bytes < most_bytes &&
         2 * most_named < joints.size()) {
    const BagTopic* const topic = messages_.next(message);
    if (topic == nullptr) break;
    messages_.look_at(message, *topic);
    bytes += message.bytes.size();
    if (!has_joints(*topic)) continue;
    joints_.clear();
    try {
      ByteFields cdr = ByteFields::of_cdr(message.bytes);
      static_cast<void>(nanoseconds_of(cdr));
      static_cast<void>(cdr.text());
      static_cast<void>(read_names(cdr));
    } catch (const InputError&) {
      break;  // `read` throws it again, with the place
    }
    const auto is_named = [&](const std::string& joint) {
      return std::ranges::find(joints_, joint) != joints_.end();
    };
    const auto named = static_cast<std::size_t>(std::ranges::count_if(joints, is_named));
    if (best.empty() || named > most_named) best = joints_;
    most_named = std::max(most_named, named);
  }
  joints_ = best;
  messages_.look_again();
  names_.clear();
  numbers_.resize(of_wrench * joints_.size());
}

/// Tests whether the present row has numbers of a quantity.
bool BagTable::has(std::size_t place) const {
  const auto numbers = place == of_wrench
                           ? std::span<const double>(wrench_)
                           : std::span(numbers_).subspan(place * joints_.size(), joints_.size());
  return std::ranges::any_of(numbers, [](double x) { return !std::isnan(x); });
}

/// Decides what the first row has, by all rows unless the first one has all that rows have.
void BagTable::find_quantities() {
  found_.emplace();
  RawBlock block;
  BagMessage message;
  const auto is_whole = [&] {
    const bool is_wrench = !messages_.have_joints();
    return is_wrench ? has(of_wrench) : has(of_position) && has(of_velocity) && has(of_effort);
  };
  while (const BagTopic* const topic = messages_.next(message)) {
    block.end = 0;
    read(message, *topic, block);
    if (rows_ == 1 && is_whole()) break;
  }
  for (std::size_t place = 0; place <= of_wrench; ++place) {
    const std::size_t rows = (*found_)[place];
    const std::size_t enough = place == of_position ? 1 : (rows_ + 1) / 2;
    wanted_[place] = rows > 0 && rows >= enough ? 1 : 0;
    if (rows == 0 || wanted_[place] == 1) continue;
    few_.push_back(fmt::format("{} has numbers in {} of {} only, and is not read",
                               quantities.at(place), rows, counted(rows_, "message")));
  }
  go_to_begin();
}

void BagTable::go_to_begin() {
  messages_.go_to_begin();
  found_.reset();
  rows_ = before_wrench_ = 0;
  largest_delay_ = 0.0;
  wrench_.fill(not_known);
  names_.clear();
  std::ranges::fill(numbers_, not_known);
}

void BagTable::fill(RawBlock& block) {
  block.begin = block.end = block.line_count = 0;
  block.first_line = rows_ + 1;
  BagMessage message;
  const auto is_enough = [&] {
    return block.end >= limits_.block_size ||
           (limits_.live && messages_.is_pipe() && block.line_count > 0);
  };
  while (!is_enough()) {
    const BagTopic* const topic = messages_.next(message);
    if (topic == nullptr) break;
    read(message, *topic, block);
  }
}

void BagTable::read(const BagMessage& message, const BagTopic& topic, RawBlock& block) {
  try {
    ByteFields cdr = ByteFields::of_cdr(message.bytes);
    Stamps stamps{nanoseconds_of(cdr), message.received};
    const bool is_state = rows_of(topic) == bag_rows.front();
    if (!is_state && stamps.header == 0)
      stamps.header = stamps.received;  // 0 of a goal: start at once
    has_stamps_ = has_stamps_ || stamps.header != 0;
    static_cast<void>(cdr.text());  // frame_id
    if (!has_joints(topic)) {
      for (double& number : wrench_) number = cdr.number<double>();
      if (messages_.topics().size() == 1) append(stamps, block);
      return;
    }
    if (!read_names(cdr)) return;
    if (messages_.topics().size() > 1 && std::isnan(wrench_.back())) {
      ++before_wrench_;
      return;
    }
    if (is_state) {
      for (const Place place : {of_position, of_velocity, of_effort}) read_list(cdr, place);
      append(stamps, block);
      return;
    }
    for (auto points = cdr.number<std::uint32_t>(); points > 0; --points) {
      for (const Place place : {of_position, of_velocity, of_acceleration, of_effort})
        read_list(cdr, place);
      const std::int64_t from_start = nanoseconds_of(cdr);
      append({sum_of(stamps.header, from_start), sum_of(stamps.received, from_start)}, block);
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: the message of {} behind row {} {}", header_.file,
                                 in_one_line(topic.name), rows_, error.what()));
  }
}

/// Reads the names of a message's joints; false if none is a joint of the table.
bool BagTable::read_names(ByteFields& message) {
  constexpr std::size_t most = 1000;
  const std::size_t count = message.number<std::uint32_t>();
  if (count > most) throw InputError("names more than 1000 joints");
  bool are_new = count != names_.size();
  names_.resize(count);
  for (std::string& name : names_) {
    const std::string_view text = message.text();
    if (name == text) continue;
    are_new = true;
    name = text;
    if (text.size() > limits_of_input::name)
      throw InputError("has a joint name of more than 200 bytes");
    if (in_one_line(name) != name) throw InputError("has a joint named " + shown_text(name));
  }
  if (joints_.empty()) joints_ = names_;
  if (are_new) {
    order_ = each(names_, [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(joints_, name) - joints_.begin());
    });
    numbers_.assign(of_wrench * joints_.size(), not_known);
  }
  return std::ranges::any_of(order_, [&](std::size_t k) { return k < joints_.size(); });
}

void BagTable::read_list(ByteFields& message, Place place) {
  const ByteFields::Numbers list = message.numbers();
  double* const to = numbers_.data() + place * joints_.size();
  if (list.count == 0) std::fill_n(to, joints_.size(), not_known);
  if (list.count != 0 && list.count != names_.size()) {
    throw InputError(fmt::format("names {}, but has {}", counted(names_.size(), "joint"),
                                 counted(list.count, "number")));
  }
  for (std::size_t k = 0; k < list.count; ++k) {
    if (order_[k] < joints_.size()) to[order_[k]] = message.at(list, k);
  }
}

void BagTable::append(Stamps stamps, RawBlock& block) {
  for (std::size_t place = 0; found_ && place <= of_wrench; ++place) {
    if (has(place)) ++(*found_)[place];
  }
  if (!found_ && rows_ == 0 && !is_first()) return;
  largest_delay_ = std::max(
      largest_delay_,
      std::abs(static_cast<double>(stamps.received) - static_cast<double>(stamps.header)) / 1e9);
  const std::array<std::pair<const void*, std::size_t>, 3> parts{
      std::pair{&stamps, sizeof stamps},
      {wrench_.data(), sizeof wrench_},
      {numbers_.data(), numbers_.size() * sizeof(double)}};
  head_.row_bytes = sizeof stamps + sizeof wrench_ + numbers_.size() * sizeof(double);
  if (block.buffer.size() < block.end + head_.row_bytes) {
    block.buffer.resize(std::max(2 * block.end, 2 * limits_.block_size) + head_.row_bytes);
  }
  for (const auto& [from, size] : parts) {
    std::memcpy(block.buffer.data() + block.end, from, size);
    block.end += size;
  }
  ++block.line_count;
  ++rows_;
}

/// Tests whether the present row can be the first, and counts those that can not.
bool BagTable::is_first() {
  const bool can_tell = !messages_.have_joints() || has(of_position);
  for (std::size_t place = 0; messages_.is_pipe() && place <= of_wrench; ++place) {
    wanted_[place] = can_tell && has(place) ? 1 : 0;
  }
  bool is_whole = std::ranges::count(wanted_, 1U) > 0;
  for (std::size_t place = 0; place <= of_wrench; ++place) {
    is_whole = is_whole && (wanted_[place] == 0 || has(place));
  }
  if (!is_whole) ++before_first_;
  return is_whole;
}

/// Names the columns that the first row has.
void BagTable::name_columns() {
  std::size_t offset = has_stamps_ ? offsetof(Stamps, header) : offsetof(Stamps, received);
  head_.columns.push_back({"time[ns]", "<i8", npy_number("i8"), offset, head_.row_bytes});
  offset = sizeof(Stamps);
  const auto add = [&](Place place, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (wanted_[place] == 1)
        head_.columns.push_back({name, "<f8", npy_number("f8"), offset, head_.row_bytes});
      offset += sizeof(double);
    }
  };
  add(of_wrench, {"fx", "fy", "fz", "nx", "ny", "nz"});
  for (const Place place : {of_position, of_velocity, of_acceleration, of_effort}) {
    add(place, each(joints_, [&](const std::string& joint) {
          return fmt::format("{}_{}", quantities.at(place), joint);
        }));
  }
  read_header(first_);
}

std::vector<std::string> BagTable::remarks() const {
  constexpr double delay = 0.1;  // s, more than a message takes
  std::vector<std::string> remarks = messages_.remarks();
  if (head_.columns.front().offset != offsetof(Stamps, header)) {
    remarks.push_back("the messages have no stamps; t is when they were received");
  } else if (largest_delay_ > delay) {
    remarks.push_back(
        fmt::format("stamps and times of receipt differ by up to {} s; t is that of "
                    "the stamps",
                    short_number(largest_delay_)));
  }
  remarks.insert(remarks.end(), few_.begin(), few_.end());
  if (before_first_ > 0) {
    remarks.push_back(counted(before_first_, "message") +
                      " left out, before the first that has all quantities");
  }
  if (before_wrench_ > 0) {
    remarks.push_back(counted(before_wrench_, "row") +
                      " left out, before the first contact wrench");
  }
  return remarks;
}

}  // namespace armdyn
