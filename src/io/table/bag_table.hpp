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

  [[noreturn]] void refuse(const std::string& why) const;
  void choose_topic();
  void find_joints(const std::vector<std::string>& joints);
  void find_quantities();
  [[nodiscard]] bool has(std::size_t place) const;
  void go_to_begin();
  [[nodiscard]] bool is_first();
  [[nodiscard]] bool is_wanted(const BagTopic& topic);
  [[nodiscard]] const BagTopic* next_message(BagMessage& message);
  void fill(RawBlock& block) override;
  void read(const BagMessage& message, const BagTopic& topic, RawBlock& block);
  [[nodiscard]] bool read_names(ByteFields& message);
  void read_list(ByteFields& message, Place place);
  void append(Stamps stamps, RawBlock& block);
  void name_columns();

  std::string path_;
  std::vector<std::string> topics_;  // to read
  BlockLimits limits_;
  std::vector<std::string> files_;
  bool is_pipe_;
  std::size_t file_ = 0;  // the next
  std::unique_ptr<InputFile> input_;
  std::unique_ptr<BagFile> bag_;
  struct Held {
    BagMessage message;
    std::string bytes;
    BagTopic topic;
  };
  std::deque<Held> held_;  // messages that find_joints has read ahead
  Held present_;
  std::string joints_topic_, wrench_topic_;

  std::vector<std::string> joints_;
  std::vector<std::string> names_;  // of the last message
  std::vector<std::size_t> order_;  // places of these names among the joints
  std::vector<double> numbers_;     // of the row, quantity by quantity
  std::array<double, 6> wrench_;    // the last
  std::optional<Places> found_;     // rows with numbers, while they are counted
  Places wanted_{};                 // 1: what the first row has
  std::size_t rows_ = 0, before_first_ = 0, before_wrench_ = 0;
  bool has_stamps_ = false;
  double largest_delay_ = 0.0;              // from a stamp to the receipt, s
  std::vector<std::string> remarks_, few_;  // few: quantities of few messages
};

}  // namespace armdyn
