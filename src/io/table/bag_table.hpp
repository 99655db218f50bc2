#pragma once

// Reads tables of numbers from bags: joint states, trajectories and wrenches as ROS 2 records
// them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/table/bag_file.hpp"
#include "io/table/npy_table.hpp"
#include "io/table/table_format.hpp"

namespace armdyn {

/// Tests if a file of that name, or "-" that waits on standard input, is a bag; also one that
/// cannot be read. A folder with metadata.yaml is one.
[[nodiscard]] bool is_bag(const std::string& path);

/// Content of all files of a bag.
struct BagContent {
  std::vector<BagTopic> topics;
  std::vector<std::string> remarks;
};
/// Reads a bag from beginning to end. Throws InputError, FileError, Interrupted.
[[nodiscard]] BagContent survey_bag(const std::string& path);

/// Kind of rows that messages of that topic become: "joint states", "trajectory" or "wrench";
/// empty for messages that are not read.
[[nodiscard]] std::string_view rows_of(const BagTopic& topic);

/// Messages of the wanted topics of a bag, through all of its files.
class BagMessages {
 public:
  /// With no topic, those with joints.
  BagMessages(std::string path, std::vector<std::string> topics);

  /// Reads the next message and returns its topic; null at the end.
  [[nodiscard]] const BagTopic* next(BagMessage& message);
  /// Lets the messages that were passed to `look_at` come again.
  void look_at(const BagMessage& message, const BagTopic& topic);
  void look_again() { held_ = std::move(looked_at_); }
  void go_to_begin();
  /// Takes the only topic with joints; throws InputError where there are several, or none.
  void choose_topic();

  [[noreturn]] void refuse(const std::string& why) const;

  [[nodiscard]] const std::vector<std::string>& topics() const { return topics_; }
  /// Tests whether it is read once.
  [[nodiscard]] bool is_pipe() const { return is_pipe_; }
  /// Tests whether messages of joints have come so far.
  [[nodiscard]] bool have_joints() const { return !joints_topic_.empty(); }
  [[nodiscard]] std::size_t looked_at() const { return looked_at_.size(); }
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  struct Held {
    BagMessage message;
    std::string bytes;
    BagTopic topic;
  };
  [[nodiscard]] bool is_wanted(const BagTopic& topic);

  std::string path_;
  std::vector<std::string> topics_, files_;
  bool is_pipe_;
  std::size_t file_ = 0;  // the next
  std::unique_ptr<InputFile> input_;
  std::unique_ptr<BagFile> bag_;
  std::deque<Held> looked_at_, held_;
  Held present_;
  std::string joints_topic_, wrench_topic_;
  std::vector<std::string> remarks_;
};

/// Messages of a bag as rows of time[ns], position_NAME, velocity_NAME, acceleration_NAME and
/// effort_NAME of each joint, and fx..nz. The first row is the first message that has all that at
/// least half of the messages have; what fewer have is not read. Of a pipe, which is read once, it is
/// the first message with numbers, and what it lacks is not read. Rows count as lines, from 1.
class BagTable final : public MadeTable {
 public:
  /// Reads the topics named: one of joint states or trajectories, one of contact wrenches (each row
  /// gets the last wrench before it), or both; with no name, the only topic with joints. The joints
  /// are those of the message among the first ones that names most of `joints`. Throws InputError
  /// with a list of topics if it is not clear which to read.
  BagTable(std::string path, std::vector<std::string> topics,
           const std::vector<std::string>& joints, BlockLimits limits = {});

  [[nodiscard]] std::vector<std::string> remarks() const override;

 private:
  /// Quantities in their order within a row.
  enum Place : std::size_t { of_position, of_velocity, of_acceleration, of_effort, of_wrench };
  using Places = std::array<std::size_t, of_wrench + 1>;  // a number for each
  struct Stamps {
    std::int64_t header = 0, received = 0;  // ns
  };

  void find_joints(const std::vector<std::string>& joints);
  void find_quantities();
  [[nodiscard]] bool has(std::size_t place) const;
  void go_to_begin();
  [[nodiscard]] bool is_first();
  void fill(RawBlock& block) override;
  void read(const BagMessage& message, const BagTopic& topic, RawBlock& block);
  [[nodiscard]] bool read_names(ByteFields& message);
  void read_list(ByteFields& message, Place place);
  void append(Stamps stamps, RawBlock& block);
  void name_columns();

  BagMessages messages_;
  BlockLimits limits_;
  std::vector<std::string> joints_;
  std::vector<std::string> names_;  // of the last message
  std::vector<std::size_t> order_;  // places of these names among the joints
  std::vector<double> numbers_;     // of the row, quantity by quantity
  std::array<double, 6> wrench_;    // the last
  std::optional<Places> found_;     // rows with numbers, while they are counted
  Places wanted_{};                 // 1: what the first row has
  std::size_t rows_ = 0, before_first_ = 0, before_wrench_ = 0;
  bool has_stamps_ = false;
  double largest_delay_ = 0.0;    // from a stamp to the receipt, s
  std::vector<std::string> few_;  // quantities of few messages
};

}  // namespace armdyn
