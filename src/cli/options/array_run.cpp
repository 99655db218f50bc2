#include "cli/options/array_run.hpp"

#include <functional>
#include <utility>

#include "cli/options/verb_frame.hpp"
#include "log/side_by_side.hpp"
#include "math/each.hpp"

namespace armdyn {

/// An array in memory.
class ArrayRun::Memory final : public ByteSink {
 public:
  void write(std::string_view bytes) override { bytes_ += bytes; }
  void replace_beginning(std::function<std::string(std::uintmax_t written)> make) override {
    make_beginning_ = std::move(make);
  }
  [[nodiscard]] const std::string& name() const override {
    static const std::string name = "rows.npy";
    return name;
  }
  [[nodiscard]] bool needs_names() const override { return true; }

  std::string take() {
    if (make_beginning_) {
      const std::string beginning = make_beginning_(bytes_.size());
      bytes_.replace(0, beginning.size(), beginning);
    }
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  std::function<std::string(std::uintmax_t)> make_beginning_;
};

ArrayRun::ArrayRun(const RobotFile* robot, const TablesInMemory& tables,
                   const RobotOptions* options, const OutputOptions& output,
                   const std::vector<NamedOutput>& outputs)
    : Run(options, output, outputs), given_(robot), tables_(tables) {}

ArrayRun::~ArrayRun() = default;

RobotFile ArrayRun::open_robot(const std::vector<NamedText>& positions) {
  RobotFile file = given_ != nullptr ? *given_ : load_robot(*robot_options_);
  append(file.warnings, lists_in_degrees(positions, file.robot));
  return file;
}

InputFile ArrayRun::open(const std::string& argument, const std::vector<std::string>& topics) {
  refuse_if(argument == "-", "MOTION is missing; give a table, or the name of a file");
  const auto table = tables_.find(argument);
  if (table == tables_.end()) return open_log(find_motion(argument), robot().robot, topics);
  return {argument, table->second};
}

ByteSink& ArrayRun::rows(const std::string& /*option*/, AtSignal /*at_signal*/) {
  memory_ = std::make_unique<Memory>();
  return *memory_;
}

std::string ArrayRun::take_rows() {
  return memory_ ? memory_->take() : std::string();
}

}  // namespace armdyn
