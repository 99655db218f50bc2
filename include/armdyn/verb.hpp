#pragma once

// The verbs of the command line as functions of values. What `armdyn size ROBOT MOTION --safety 1.5`
// computes is `call("size", robot, {motion}, {{"safety", 1.5}})`. The pages of the verbs
// (docs/commands) describe their arguments, options and answers.

#include <armdyn/json.hpp>
#include <armdyn/robot_file.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace armdyn {

/// A table: columns of one length under names that a CSV header may have, in their units: t, s;
/// q1, q2, ..., rad or m; q_shoulder[deg].
class NamedColumns {
 public:
  NamedColumns() = default;
  NamedColumns(std::initializer_list<std::pair<std::string, std::vector<double>>> columns) {
    for (const auto& [name, numbers] : columns) add(name, numbers);
  }

  /// Throws Error unless it has as many numbers as the others, and a new name.
  void add(std::string name, std::vector<double> numbers);
  /// Throws Error where there is no column of that name.
  [[nodiscard]] std::span<const double> operator[](std::string_view name) const;

  /// In their order.
  [[nodiscard]] const std::vector<std::pair<std::string, std::vector<double>>>& all() const {
    return columns_;
  }
  /// 0 without columns.
  [[nodiscard]] std::size_t rows() const {
    return columns_.empty() ? 0 : columns_.front().second.size();
  }

 private:
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

/// An argument of a verb behind the robot: a table, or a text as on the command line. A text is a
/// path or the name of a shipped motion.
using VerbArgument = std::variant<NamedColumns, std::string>;

/// An option by its name without dashes in front, and with underscores for those inside:
/// `max_rows` is --max-rows.
struct VerbOption {
  std::string name;
  std::string value;  ///< as on a command line; "true" of a flag

  /// A text, as on a command line.
  VerbOption(std::string of, std::string text) : name(std::move(of)), value(std::move(text)) {}
  VerbOption(std::string of, const char* text) : name(std::move(of)), value(text) {}
  /// A flag that is given, or a number, or numbers of a list. They read back as the same doubles.
  VerbOption(std::string of, double number);
  VerbOption(std::string of, std::span<const double> numbers);
  VerbOption(std::string of, std::initializer_list<double> numbers)
      : VerbOption(std::move(of), std::span(numbers.begin(), numbers.size())) {}
  template <std::integral Number>
  VerbOption(std::string of, Number number)
      : name(std::move(of)),
        value(std::same_as<Number, bool> ? (number ? "true" : "false") : std::to_string(number)) {}
};

/// Answer of a verb.
struct VerbAnswer {
  bool has_passed =
      true;           ///< false where the command line exits with 1: a check or comparison failed
  Json data;          ///< the keys of --json
  NamedColumns rows;  ///< of the table that the command line writes; none where it writes none
  /// Contents of other files that the command line writes, by the option that names each. A robot
  /// or code is under "output", the worst sampled robot under "worst".
  std::map<std::string, std::string> texts;
};

/// Runs a verb on a robot, which has been read from its `path`: check and convert read that file
/// again. It writes no file and draws nothing. The options set, base and tip are those of
/// read_robot_file. May be called by several threads. Throws Error for an unknown verb or option or a wrong value, InputError, FileError, NumericsError.
[[nodiscard]] VerbAnswer call(const std::string& verb, const RobotFile& robot,
                              const std::vector<VerbArgument>& arguments = {},
                              const std::vector<VerbOption>& options = {});

}  // namespace armdyn
