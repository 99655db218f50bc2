// armdyn new: a robot file to fill in.

#include "cli/new/options.hpp"
#include "cli/new/robot_template.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/output_file.hpp"
#include "io/text/number_text.hpp"
#include "report/document.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

void say_what_was_written(const NewOptions& options) {
  const std::string& file = options.output.output;
  std::string joints;
  for (const JointType type : options.joints) joints += letter(type);
  if (options.output.json) {
    say_summary(json_of(Json{{"version", ARMDYN_VERSION},
                             {"name", options.name},
                             {"file", file},
                             {"joints", joints}}),
                true);
  } else if (!options.output.quiet && file != "-") {
    say("{}: {} to fill in; armdyn check {} lists what is left\n", file,
        counted(joints.size(), "joint"), shell_word(file));
  }
}

}  // namespace

Ending run(const NewOptions& options) {
  write_file(options.output.output, robot_template(options),
             options.force ? Existing::replaced : Existing::kept);
  say_what_was_written(options);
  return Ending::done;
}

}  // namespace armdyn
