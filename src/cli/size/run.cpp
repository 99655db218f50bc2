// armdyn size: do the drives and the supply carry this motion?

#include <armdyn/error.hpp>

#include "cli/options/held_motion.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/value_text.hpp"
#include "cli/size/options.hpp"

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

Answer size(const SizeOptions& options, Run& run) {
  run.require_motion(options.motion);
  LogReader& log = run.log(options.motion, options.log, {Quantity::hand_wrench});
  const RobotFile& file = run.robot();
  const Robot& robot = file.robot;
  const HeldMotion motion(run.read_all(log), log);
  if (!motion.is_over_time()) {
    throw InputError(log.input().name() +
                     ": a cycle takes time; expected a column t that rises, or --rate");
  }
  const SizeAnswer found = size_answer(file, cycle_of(motion, robot.dof()), options);
  Answer answer{run.document()};
  Document& document = answer.document;
  if (run.wants_curves()) document.views.figures = {size_figure(robot, found, options)};
  if (run.wants_arm()) document.views.q = motion.positions(robot.dof());
  document.add(log_sections(log.report(), robot));
  document.add(found.sections);
  document.warnings = joined({log_warnings(log.report()), found.warnings});
  if (!found.passes) answer.ending = Ending::no;
  return answer;
}

void declare(OptionList& list, SizeOptions& options) {
  declare_robot(list, options.robot);
  declare_motion(list, options.motion, "one cycle: CSV or .npy file with t,q1..,qd1..,qdd1..");
  list.option("--dwell", "SECONDS", options.dwell, parse_duration_or_zero,
              "rest at the end of the cycle, s (default: 0)");
  list.option("--safety", "FACTOR", options.safety, parse_positive_number,
              "safety factor against the ratings (default: 1)");
  declare_uncertainty(list, options.uncertainty);
  list.option("--catalogue", "FILE", options.catalogue, as_written,
              "CSV catalog: list the motors and gears that pass, lightest first");
  declare_plot(list, options.plot, "torques within their curves, temperatures, power of the bus");
  declare_log(list, options.log);
  declare_output(list, options.output, "the same as JSON");
}

Verb size_verb() {
  return verb<SizeOptions>(
      "size", "Drive sizing: motors, gears and supply for a duty cycle",
      "  armdyn size arm.yaml cycle.csv --dwell 0.5\n"
      "  armdyn size arm.yaml cycle.csv --safety 1.3 --json -o sizing.json\n"
      "  armdyn size arm.yaml cycle.csv --uncertainty mass=5%,payload=10%\n"
      "  armdyn size arm.yaml cycle.csv --catalogue drives.csv --plot drives.svg\n"
      "  armdyn size puma560 puma560-pick-and-place\n",
      declare, size);
}

}  // namespace armdyn
