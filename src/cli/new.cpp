// armdyn new: a robot file to fill in.

#include "cli/robot_template.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"

namespace armdyn {

int run(const NewOptions& options) {
  if (!options.force) refuse_to_replace(options.output.output);
  OutputFile output(options.output.output);
  output.write(robot_template(options));
  output.commit();
  return 0;
}

}  // namespace armdyn
