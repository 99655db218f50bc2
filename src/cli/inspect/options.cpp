#include "cli/inspect/options.hpp"

#include <algorithm>

#include "cli/options/named_files.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"

namespace armdyn {

namespace {

bool is_one_of(const std::string& key, std::initializer_list<const char*> keys) {
  return std::ranges::count(keys, key) > 0;
}

std::vector<std::string> parse_parts(const std::string& option, const std::string& text) {
  static const std::vector<std::string> parts = split_distinct(
      option,
      "q,qd,qdd,frames,joint_frames,T,T_world,J,Jdot,manipulability,condition,M,M_links,V,G,C,Ci,"
      "craig_B,craig_C,kinetic,potential,momentum,tau,Mx,Vx,Gx,craig_Bx,craig_Cx,links,dtau_dq,"
      "dtau_dqd,dtau_dqdd,A,B,Ad,Bd,equilibrium,regressor,base_parameters,articulated,"
      "link_jacobians,strobed_M,strobed_Ci,u_ref");
  return each(split_distinct(option, text),
              [&](const std::string& part) { return parse_choice(option, part, parts); });
}

std::vector<TaskRow> parse_task_rows(const std::string& option, const std::string& text) {
  return Choices<TaskRow>(all_task_rows()).several(option, text);
}

/// Refuses options about one state beside MOTION, which has the states.
void refuse_state_options(const OptionList& list, const std::string& motion) {
  for (const char* option : {"--all", "--q", "--qd", "--qdd", "--links", "--linearize",
                             "--sample-time", "--equilibrium", "--stable"}) {
    refuse_if(list.is_given(option),
              "inspect: {} is for one state, and '{}' stands for MOTION; leave one of them out",
              option, in_one_line(motion));
  }
}

void require_motion_parts(const std::vector<std::string>& only) {
  const std::vector<std::string> offered = motion_part_keys();
  const std::string all = fmt::format("{}", fmt::join(offered, ","));
  refuse_if(
      only.empty(),
      "inspect: a MOTION needs --what LIST with any of {}; for one state, give --q and no MOTION",
      all);
  for (const std::string& key : only) {
    refuse_if(std::ranges::find(offered, key) == offered.end(),
              "--what: {} is shown for one state; over a MOTION take any of {}", key, all);
  }
}

void require_what_parts_need(InspectOptions& options) {
  for (const std::string& key : options.what) {
    if (is_one_of(key, {"dtau_dq", "dtau_dqd", "dtau_dqdd", "A", "B"})) options.linearize = true;
    refuse_if(is_one_of(key, {"Ad", "Bd"}) && !options.sample_time,
              "--what: {} needs --sample-time", key);
    refuse_if(key == "equilibrium" && !options.equilibrium,
              "--what: equilibrium needs --equilibrium");
  }
}

/// Options of one state.
void declare_state(OptionList& list, InspectOptions& options) {
  list.option("--q", "LIST", options.q, not_empty,
              "position: 0,-1.57,0 or \"0,-90,0 deg\" or a pose (default: 0)");
  list.option("--qd", "LIST", options.qd, not_empty, "velocity (default: 0)");
  list.option("--qdd", "LIST", options.qdd, not_empty, "acceleration (default: 0)");
  list.option("--task-rows", "LIST", options.rows, parse_task_rows,
              "rows of Cartesian terms, out of vx,vy,vz,wx,wy,wz (default: all, for six joints)");
  list.flag("--links", options.links, "velocities, forces, moments and energies link by link")
      .unechoed();
  const Choices<TaskAxes> axes = axes_choices();
  const Choices<LinkPoint> points = point_choices();
  list.option("--axes", "NAME", options.axes, axes,
              "axes of Jacobians, Cartesian terms, links' vectors: " + axes.text() +
                  " (default: base; link of vectors)");
  list.option("--point", "NAME", options.point, points,
              "reference points of link_jacobians: " + points.text() + " (default: com)")
      .special();
  list.flag("--linearize", options.linearize, "derivatives of the torque, and state-space A, B");
  list.option("--sample-time", "SECONDS", options.sample_time, parse_duration,
              "sampling time of discrete A, B (zero-order hold), s");
  list.flag("--equilibrium", options.equilibrium,
            "find an equilibrium, G(q) = 0, starting from --q");
  list.flag("--stable", options.stable, "with --equilibrium: a stable one");
}

/// Throws UsageError for options that contradict one another.
void resolve(const OptionList& list, InspectOptions& options) {
  options.names_axes = list.is_given("--axes");
  if (!options.motion.empty()) {
    static_cast<void>(find_robot(options.robot.robot));  // refuses a MOTION in the place of ROBOT
    refuse_state_options(list, options.motion);
    require_motion_parts(options.what);
    return;
  }
  refuse_options_of_no_log("inspect", options.log);
  refuse_if(options.stable && !options.equilibrium, "--stable needs --equilibrium; give both");
  require_what_parts_need(options);
  options.linearize = options.linearize || options.sample_time;
  refuse_if(options.equilibrium && !(options.qd + options.qdd).empty(),
            "--equilibrium is a state of rest; leave out --qd and --qdd");
}

}  // namespace

void declare(OptionList& list, InspectOptions& options) {
  const auto reads_log = [&options] { return !options.motion.empty(); };
  declare_robot(list, options.robot);
  list.argument("MOTION", options.motion, as_written,
                "with --what: CSV or .npy file with q1.. (and qd1..,qdd1.. where a part needs "
                "them), or the bare name of a shipped motion; - is standard input (default: one "
                "state)")
      .echoed_if(reads_log);
  list.option("--what", "LIST", options.what, parse_parts,
              "which quantities, e.g. T,J,M,G,condition; over a MOTION as columns");
  declare_all(list, options.output.all);
  declare_state(list, options);
  declare_log(list, options.log, reads_log);
  declare_output(list, options.output);
  list.check([&list, &options] { resolve(list, options); });
}

Verb inspect_verb() {
  return verb<InspectOptions>(
      "inspect", "Mass matrix, Coriolis, gravity, Jacobian and pose at a state",
      "  armdyn inspect puma560 --q \"0,45,180,0,45,0 deg\"\n"
      "  armdyn inspect two-link-spong --q 0.3,0.7 --qd 0.5,-0.4 --task-rows vx,vy --links\n"
      "  armdyn inspect puma560 --q qr --linearize --sample-time 0.01 --json\n"
      "  armdyn inspect puma560 puma560-pick-and-place --what T,M,condition -o terms.csv\n",
      declare, inspect_state);
}

}  // namespace armdyn
