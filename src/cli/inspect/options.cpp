#include "cli/inspect/options.hpp"

#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"

namespace armdyn {

namespace {

void declare(OptionList& list, InspectOptions& options) {
  declare_robot(list, options.robot);
  list.option("--q", "LIST", options.q, as_written,
              "position: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a pose of the "
              "robot file (default: 0)");
  list.option("--qd", "LIST", options.qd, as_written, "velocity (default: 0)");
  list.option("--qdd", "LIST", options.qdd, as_written,
              "acceleration, for the links and the linear model (default: 0)");
  list.option("--rows", "LIST", options.rows, parse_task_rows,
              "task rows of the Cartesian terms, out of vx,vy,vz,wx,wy,wz (default: all, for "
              "six joints)");
  list.flag("--links", options.links, "velocities, accelerations, forces and moments link by link")
      .unechoed();
  list.flag("--linearize", options.linearize, "derivatives of the torque, and state-space A, B");
  list.option("--sample-time", "SECONDS", options.sample_time, parse_duration,
              "also A, B for torques held so long, s; implies --linearize");
  list.flag("--equilibrium", options.equilibrium,
            "start at --q and go to where gravity asks no torque");
  declare_output(list, options.output, "the same as JSON, matrices as lists of rows");
  list.echo_absent_as_null();
  list.check([&options] {
    options.linearize = options.linearize || options.sample_time;
    if (options.equilibrium && !(options.qd.empty() && options.qdd.empty())) {
      throw UsageError("--equilibrium is a state of rest; leave out --qd and --qdd");
    }
  });
}

}  // namespace

Verb inspect_verb() {
  return verb<InspectOptions>(
      "inspect", "The equations of motion at one state, term by term: M, V, G, J and the rest.",
      "  armdyn inspect puma560 --q \"0,45,180,0,45,0 deg\"\n"
      "  armdyn inspect two-link-spong --q 0.3,0.7 --qd 0.5,-0.4 --rows vx,vy --links\n"
      "  armdyn inspect puma560 --q qr --linearize --sample-time 0.01 --json\n",
      declare);
}

}  // namespace armdyn
