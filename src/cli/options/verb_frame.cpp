#include "cli/options/verb_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "cli/options/value_text.hpp"
#include "io/text/number_text.hpp"
#include "math/rigid.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

RobotFile open_robot(const RobotOptions& robot, const OutputOptions& output,
                     const std::vector<NamedText>& positions) {
  RobotFile file = load_robot(robot);
  std::ranges::copy(lists_in_degrees(positions, file.robot), std::back_inserter(file.warnings));
  if (!output.json) print_warnings(file, robot, output.quiet);
  return file;
}

void print_warnings(const RobotFile& file, const RobotOptions& options, bool quiet) {
  if (const auto unread = unread_file_warning(options.robot)) print_warnings({*unread});
  const std::string name = std::filesystem::path(file.path).filename();
  std::size_t count = 0;
  for (const Finding& finding : file.warnings) {
    if (finding.path.starts_with("--")) {
      print_warnings({finding.path + ": " + finding.message});
    } else if (!finding.path.empty()) {
      ++count;
    } else if (!quiet) {  // those of the arm as a whole are said here
      say("{}\n", to_text(finding, name));
    }
  }
  if (count == 0 || quiet) return;
  say("{}: {} about the model; armdyn check {} shows {}\n", name, counted(count, "warning"),
      argument_for(file), count == 1 ? "it" : "them");
}

void print_recognised(const std::string& file, const ColumnPlan& plan,
                      const OutputOptions& options) {
  if (options.quiet || options.json) return;
  say("{}", recognised_line(file, plan.recognised));
}

void print_picture(const std::string& plot, const OutputOptions& options) {
  if (!plot.empty() && !options.quiet && !options.json) {
    say("picture: {}\n", plot);
  }
}

std::string summary_of(const Document& answer, const OutputOptions& options) {
  if (options.json) return json_of(answer);
  return (options.quiet ? "" : text_of(answer)) +
         warnings_text(answer.warnings.value_or(std::vector<std::string>{}));
}

void say_summary(const std::string& text, bool is_json) {
  errno = 0;
  if (write_to_standard_error(text) || !is_json) return;
  if (errno == EPIPE || errno == EBADF) return;  // nobody wants it
  throw FileError(fmt::format("the summary on standard error: cannot write: {}",
                              std::generic_category().message(errno)));
}

Document answer_frame(const RobotFile& file, const RobotOptions& options,
                      const OutputOptions& output) {
  std::map<std::string, Json> used;
  for (const UsedOption& option : output.used) {
    used[option.key] = std::visit(
        [](const auto& held) {
          if constexpr (std::is_same_v<decltype(held), const std::monostate&>) {
            return Json();
          } else {
            return Json(held);
          }
        },
        option.value);
  }
  for (const auto& [name, parameter] : options.set) used["set"][name] = parameter.value;
  used["without"] = names(options.without);
  used["gravity"] = coordinates(file.robot.gravity);
  if (options.payload) {
    used["payload"] =
        Json{{"com", coordinates(options.payload->com)}, {"mass", options.payload->mass}};
  }
  Document answer;
  answer.add("version", Json(ARMDYN_VERSION));
  answer.add("robot",
             Json{{"digest", file.digest}, {"file", file.path}, {"name", file.robot.name}});
  answer.add("options", Json(used));
  std::vector<std::string>& warnings = answer.model_warnings.emplace();
  for (const Finding& finding : file.warnings) warnings.push_back(to_text(finding, file.path));
  if (const auto unread = unread_file_warning(options.robot)) warnings.push_back(*unread);
  return answer;
}

}  // namespace armdyn
