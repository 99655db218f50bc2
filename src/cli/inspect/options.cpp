#include "cli/inspect/options.hpp"
#include "cli/options/shared_options.hpp"

namespace armdyn {

namespace {

struct InspectTexts {
  CommonTexts common;
  std::string rows;
  std::string sample_time;
};

void add(VerbSyntax& verb, InspectOptions& options, InspectTexts& texts) {
  add_robot(verb, options.robot, texts.common);
  verb.option("--q", "LIST", options.q,
              "position: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a pose of the "
              "robot file (default: 0)");
  verb.option("--qd", "LIST", options.qd, "velocity (default: 0)");
  verb.option("--qdd", "LIST", options.qdd,
              "acceleration, for the links and the linear model "
              "(default: 0)");
  verb.option("--rows", "LIST", texts.rows,
              "task rows of the Cartesian terms, out of vx,vy,vz,wx,wy,wz (default: all, for "
              "six joints)");
  verb.flag("--links", options.links, "velocities, accelerations, forces and moments link by link");
  verb.flag("--linearize", options.linearize, "derivatives of the torque, and state-space A, B");
  verb.option("--sample-time", "SECONDS", texts.sample_time,
              "also A, B for torques held so long, s; implies --linearize");
  verb.flag("--equilibrium", options.equilibrium,
            "start at --q and go to where gravity asks no torque");
  add_output(verb, options.output, texts.common, "the same as JSON, matrices as lists of rows");
}

void finish(InspectOptions& options, const InspectTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
  options.rows = parse_task_rows(texts.rows);
  if (!texts.sample_time.empty()) {
    options.sample_time = parse_duration("--sample-time", texts.sample_time);
    options.linearize = true;
  }
  if (options.equilibrium && !(options.qd.empty() && options.qdd.empty())) {
    throw UsageError("--equilibrium is a state of rest; leave out --qd and --qdd");
  }
}

}  // namespace

VerbSyntax inspect_syntax() {
  return verb_syntax<InspectOptions, InspectTexts>(
      "inspect", "The equations of motion at one state, term by term: M, V, G, J and the rest.",
      "  armdyn inspect puma560 --q \"0,45,180,0,45,0 deg\"\n"
      "  armdyn inspect two-link-spong --q 0.3,0.7 --qd 0.5,-0.4 --rows vx,vy --links\n"
      "  armdyn inspect puma560 --q qr --linearize --sample-time 0.01 --json\n",
      add, finish);
}

}  // namespace armdyn
