// armdyn size: do the drives and the supply carry this motion?

#include <armdyn/error.hpp>

#include "cli/options/held_motion.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/value_text.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/size/options.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "log/log_reader.hpp"
#include "log/side_by_side.hpp"

namespace armdyn {

namespace {

Cycle cycle_of(const HeldMotion& motion, std::size_t dof) {
  const auto columns = [&](std::size_t first, std::size_t count) {
    const auto begin = motion.columns.begin() + static_cast<std::ptrdiff_t>(first);
    return Columns(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  const MotionColumns& at = motion.places;
  Cycle cycle{columns(at.q, dof),
              columns(*at.qd, dof),
              columns(*at.qdd, dof),
              at.wrench ? columns(*at.wrench, 6) : Columns{},
              motion.t,
              {}};
  cycle.set_steps();
  for (const std::size_t row : motion.breaks) cycle.steps[row] = 0.0;
  return cycle;
}

}  // namespace

Ending run(const SizeOptions& options) {
  require_motion_input("size", options.robot, options.motion);
  const RobotFile file = open_robot(options);
  const Robot& robot = file.robot;
  InputFile input = open_log(find_motion(options.motion), robot, options.log.topics);
  LogReader log(options.log, input, robot, {Quantity::hand_wrench});
  print_recognised(input.name(), log.plan(), options.output);
  const HeldMotion motion(log, input.name(), options.output.threads);
  if (!motion.is_over_time()) {
    throw InputError(input.name() +
                     ": a cycle takes time; expected a column t that rises, or --rate");
  }
  OutputFile output(options.output.output);
  const auto plot = open_if_named(options.plot.file);
  const SizeAnswer found = size_answer(file, cycle_of(motion, robot.dof()), options);
  Document answer = answer_frame(file, options);
  if (shows_curves(options.plot, options.output)) {
    answer.views.figures = {size_figure(robot, found, options)};
  }
  if (plot) write_figure(answer.views.figures.front(), *plot);
  if (answer.views.robot) answer.views.q = motion.positions(robot.dof());
  answer.add(log_sections(log.report(), robot));
  answer.add(found.sections);
  answer.warnings = joined({log_warnings(log.report()), found.warnings});
  put_answer(answer, options.output, plot.get(), output);
  print_picture(options.plot.file, options.output);
  if (!options.output.json) print_warnings(*answer.warnings);
  return found.passes ? Ending::done : Ending::no;
}

void declare(OptionList& list, SizeOptions& options) {
  declare_robot(list, options.robot);
  declare_motion(list, options.motion, "one cycle: CSV or .npy file with t,q1..,qd1..,qdd1..");
  list.option("--dwell", "SECONDS", options.dwell, parse_duration_or_zero,
              "hold the last position for so long at the end of the cycle, s (default: 0)");
  list.option("--safety", "FACTOR", options.safety, parse_positive_number,
              "what is needed counts so many times against the ratings (default: 1)");
  declare_uncertainty(list, options.uncertainty);
  list.option("--catalogue", "FILE", options.catalogue, as_written,
              "which motors and gears of a CSV file pass, lightest first");
  declare_plot(list, options.plot, "torques within their curves, temperatures, power of the bus");
  declare_log(list, options.log);
  declare_output(list, options.output, "the same as JSON");
}

Verb size_verb() {
  return verb<SizeOptions>(
      "size", "Do these motors, gears and this supply carry this motion, cycle after cycle?",
      "  armdyn size arm.yaml cycle.csv --dwell 0.5\n"
      "  armdyn size arm.yaml cycle.csv --safety 1.3 --json -o sizing.json\n"
      "  armdyn size arm.yaml cycle.csv --uncertainty mass=5%,payload=10%\n"
      "  armdyn size arm.yaml cycle.csv --catalogue drives.csv --plot drives.svg\n"
      "  armdyn size puma560 puma560-pick-and-place\n",
      declare);
}

}  // namespace armdyn
