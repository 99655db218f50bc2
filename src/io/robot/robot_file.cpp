#include <fmt/format.h>

#include <set>
#include <tuple>

#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/robot/robot_schema.hpp"
#include "io/robot/robot_text.hpp"
#include "io/robot/urdf.hpp"
#include "math/each.hpp"
#include "model/file_accuracy.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

// Most lines of a message.
constexpr std::size_t most_lines = 50;

/// Takes the first step off a path: "joints", "[2]", "dh" of joints[2].dh.
std::string_view next_step(std::string_view& path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  const std::size_t end = path.starts_with('[') ? path.find(']') + 1 : path.find_first_of(".[");
  const std::string_view step = path.substr(0, end);
  path.remove_prefix(step.size());
  return step;
}

const YamlNode* child(const YamlNode& node, std::string_view step) {
  if (!step.starts_with('[')) return find(node, step);
  const auto index = parse_number(step.substr(1, step.size() - 2));
  if (!index || *index >= static_cast<double>(node.items.size())) return nullptr;
  return &node.items[static_cast<std::size_t>(*index)];
}

/// Gives a finding the place of its path's value, or of the nearest one around it.
void locate(const YamlNode& root, Finding& finding) {
  std::string_view path = finding.path;
  const YamlNode* node = &root;
  while (!path.empty()) {
    const YamlNode* next = child(*node, next_step(path));
    if (next == nullptr) break;
    node = next;
  }
  finding.line = node->mark.line;
  finding.column = node->mark.column;
}

/// Adds the findings of a robot from a file. Where the file has errors already, values are missing:
/// no more findings about these, and no warnings.
void add_checks(const ReadRobot& read, const YamlNode& root, std::vector<Finding>& findings) {
  const bool is_whole = findings.empty();
  std::set<std::string> reported;
  for (const Finding& finding : findings) reported.insert(finding.path);

  for (Finding& finding : check(read.robot, read.written)) {
    const bool is_error = finding.severity == Severity::error;
    if (!is_whole && (!is_error || reported.count(finding.path) != 0)) continue;
    locate(root, finding);
    findings.push_back(std::move(finding));
  }
}

/// Reads and checks; returns nothing only with a finding.
std::optional<ReadRobot> read_checked(const YamlNode& root, const ParameterValues& set,
                                      std::vector<Finding>& findings) {
  std::optional<ReadRobot> read = read_robot(root, set, findings);
  if (read) {
    add_checks(*read, root, findings);
    if (!has_error(findings)) limit_by_followers(read->robot);
  }
  std::ranges::stable_sort(findings, {}, [](const Finding& f) {
    return std::tuple(f.severity == Severity::warning, f.line, f.column);
  });
  return read;
}

/// Finds the arm in a URDF, and makes its table.
RobotFileReport examine_urdf_file(const std::string& bytes, const std::string& path,
                                  const RobotFileOptions& reading) {
  UrdfReport urdf = examine_urdf(bytes, reading, path);
  RobotFileReport report;
  Digest digest;
  digest.add(bytes);
  digest.add(urdf.included);
  report.digest = digest.text();
  report.findings = std::move(urdf.findings);
  if (!urdf.chain) return report;
  report.notes = urdf.chain->notes;
  const bool is_mechanism = urdf.chain->mechanism.has_value();
  Robot robot = is_mechanism
                    ? *std::move(urdf.chain->mechanism)
                    : table_of(urdf.chain->chain, reading.snap.value_or(Snap{0.0, 0.0})).robot;
  FileAccuracy accuracy;
  if (!is_mechanism) accuracy.as_placed = std::move(urdf.chain->placed);
  for_each_number(
      [&accuracy](const std::string& place, const RobotField& field, double x) {
        if (field.unit == RobotUnit::gravity) return;
        accuracy.numbers[place] = {x, 0.0, !field.has(role::drive)};
      },
      std::as_const(robot));
  robot.file_accuracy = std::make_shared<const FileAccuracy>(std::move(accuracy));
  report.locate = [chain = *std::move(urdf.chain), tree = urdf.tree](Finding& finding) {
    locate_in(chain, *tree, finding);
  };
  // Warnings are about numbers of a file, not of a table made from it.
  for (Finding& finding : check(robot)) {
    if (finding.severity == Severity::warning) continue;
    report.locate(finding);
    report.findings.push_back(std::move(finding));
  }
  if (!has_error(report.findings)) report.robot = std::move(robot);
  return report;
}

}  // namespace

std::string read_robot_bytes(const std::string& path) {
  InputFile file(path);
  constexpr std::size_t beyond = std::size_t{1} << 16U;  // shows that it is too large
  std::string bytes = file.read(largest_yaml + beyond);
  if (is_urdf(path, bytes)) bytes += file.read(largest_xml - largest_yaml);
  return bytes;
}

std::string digest_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.text();
}

std::string error_lines(const std::vector<Finding>& findings, const std::string& file) {
  std::string lines;
  std::size_t count = 0;
  for (const Finding& finding : findings) {
    if (finding.severity != Severity::error || ++count > most_lines) continue;
    lines += (lines.empty() ? "" : "\n") + to_text(finding, file);
  }
  if (count > most_lines)
    lines += fmt::format("\n{}: and {} more {}", in_one_line(file), count - most_lines,
                         noun(count - most_lines, "error"));
  return lines;
}

RobotFileReport examine_robot_bytes(const std::string& bytes, const std::string& path,
                                    const RobotFileOptions& reading, std::size_t* blanks) {
  if (is_urdf(path, bytes)) return examine_urdf_file(bytes, path, reading);
  RobotFileReport report;
  report.digest = digest_of(bytes);

  YamlTree tree = parse_yaml(bytes);
  report.findings = std::move(tree.problems);
  if (!tree.root) return report;

  followers_last(*tree.root);
  const auto root = std::make_shared<const YamlNode>(*std::move(tree.root));
  report.locate = [root](Finding& finding) { armdyn::locate(*root, finding); };
  auto read = read_checked(*root, reading.set, report.findings);
  report.of_parameters = [root, path](const ParameterValues& values) {
    std::vector<Finding> findings;
    auto other = read_checked(*root, values, findings);
    if (has_error(findings)) throw InputError(error_lines(findings, path));
    return std::move(other->robot);
  };
  if (read) report.written = std::move(read->parametrization);
  if (read && blanks != nullptr) *blanks = read->blanks.size();
  if (!has_error(report.findings)) report.robot = std::move(read->robot);
  return report;
}

RobotFileReport examine_robot_file(const std::string& path, const RobotFileOptions& reading) {
  return examine_robot_bytes(read_robot_bytes(path), path, reading);
}

RobotFile parse_robot_file(const std::string& bytes, const std::string& path,
                           const RobotFileOptions& reading) {
  RobotFileReport report = examine_robot_bytes(bytes, path, reading);
  if (!report.robot) throw InputError(error_lines(report.findings, path));
  return {*std::move(report.robot), std::move(report.findings), path,
          std::move(report.digest), std::move(report.written),  std::move(report.of_parameters)};
}

RobotFile read_robot_file(const std::string& path, const RobotFileOptions& reading) {
  return parse_robot_file(read_robot_bytes(path), path, reading);
}

std::string to_text(const Finding& finding, const std::string& file) {
  std::string text = in_one_line(file) + ":";
  if (finding.line > 0) text += fmt::format("{}:", finding.line);
  if (finding.column > 0) text += fmt::format("{}:", finding.column);
  text += finding.severity == Severity::error ? " error: " : " warning: ";
  if (!finding.path.empty()) text += finding.path + ": ";
  return text + finding.message;
}

}  // namespace armdyn
