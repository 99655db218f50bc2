#include "cli/options/array_run.hpp"

#include <algorithm>

#include "cli/options/named_files.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/table/npy_table.hpp"
#include "log/side_by_side.hpp"

namespace armdyn {

namespace {

/// By its ending, tables in memory have their format.
constexpr const char* array_name = "rows.npy";

/// An array in memory.
class ArrayInMemory final : public ByteSink {
 public:
  void write(std::string_view bytes) override { bytes_ += bytes; }
  void replace_beginning(std::function<std::string(std::uintmax_t written)> make) override {
    make_beginning_ = std::move(make);
  }
  [[nodiscard]] const std::string& name() const override {
    static const std::string name = array_name;
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

class ArrayRun final : public Run {
 public:
  /// As of Run; without a robot, that of the options is read.
  ArrayRun(const VerbCall& call, std::optional<RobotFile> robot, const TablesInMemory& tables)
      : Run(call), given_(std::move(robot)), tables_(tables) {}

  TableInput open(const std::string& argument, const std::vector<std::string>& topics) override {
    refuse_if(argument == "-", "MOTION is missing; give a table, or the name of a file");
    const auto table = tables_.find(argument);
    if (table == tables_.end()) return open_log(find_motion(argument), robot().robot, topics);
    return {argument, table->second};
  }
  /// Values are wanted, and texts in files that options name.
  [[nodiscard]] bool wants(const std::string& option) const override {
    return option == "-o" || place(option) != nullptr;
  }
  ByteSink& rows(const std::string& /*option*/, AtSignal /*at_signal*/) override {
    return array_.emplace();
  }
  bool draw(const Views& /*views*/) override { return true; }

  /// The bytes of the rows, once all are there.
  [[nodiscard]] std::string take_rows() { return array_ ? array_->take() : std::string(); }

 private:
  RobotFile open_robot(const std::vector<NamedText>& positions) override {
    RobotFile file = given_ ? *given_ : load_robot(*robot_options_);
    append(file.warnings, lists_in_degrees(positions, file.robot));
    return file;
  }

  std::optional<RobotFile> given_;
  const TablesInMemory& tables_;
  std::optional<ArrayInMemory> array_;
};

/// "worst" of "--worst", "output" of "-o".
std::string keyword_of(const std::string& option) {
  if (option == "-o") return "output";
  std::string name = option.substr(option.find_first_not_of('-'));
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace

std::string bytes_of(const NamedColumns& table) {
  const TableFormat& format = table_format(array_name);
  std::vector<std::string> names;
  Places columns;
  for (const auto& [name, numbers] : table.all()) {
    names.push_back(name);
    columns.push_back(numbers.data());
  }
  std::string bytes = format.head(names, true, table.rows());
  format.append_rows(bytes, columns, table.rows());
  return bytes;
}

NamedColumns columns_of(const std::string& bytes) {
  NamedColumns table;
  if (bytes.empty()) return table;
  const NpyHead head = read_npy_head(bytes, bytes.size(), array_name);
  for (const NpyColumn& column : head.columns) {
    std::vector<double> numbers(head.rows);
    const char* const first = bytes.data() + head.size + column.offset;
    column.number->take(first, column.stride, head.rows, numbers.data());
    table.add(column.name, std::move(numbers));
  }
  return table;
}

ValueAnswer call_on_values(const Verb& verb, const std::vector<std::string>& words,
                           const std::vector<Keyword>& keywords, const TablesInMemory& tables,
                           const std::function<RobotFile(const RobotOptions&)>& edited) {
  ValueAnswer found;
  found.answer = verb.call(words, keywords, [&](const VerbCall& call) {
    std::optional<RobotFile> robot;
    if (edited && call.robot != nullptr) robot = edited(*call.robot);
    ArrayRun run(call, std::move(robot), tables);
    Answer given = call.work(run);
    found.rows = run.take_rows();
    return given;
  });
  for (const Artifact& artifact : found.answer.artifacts) {
    if (artifact.text) found.texts[keyword_of(artifact.option)] = *artifact.text;
  }
  return found;
}

}  // namespace armdyn
