// armdyn datasheet: what an arm carries, how it may accelerate, what its base feels, by its model.

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/datasheet/accelerations.hpp"
#include "cli/datasheet/base.hpp"
#include "cli/datasheet/contact_and_power.hpp"
#include "cli/datasheet/payload.hpp"
#include "cli/datasheet/stops.hpp"
#include "cli/options/robot_formats.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/friction.hpp"
#include "model/mechanism.hpp"

namespace armdyn {

namespace {

const Choices<Chapter>& chapters() {
  static const Choices<Chapter> all{{"arm", Chapter::arm},
                                    {"payload", Chapter::payload},
                                    {"accelerations", Chapter::accelerations},
                                    {"base", Chapter::base},
                                    {"stops", Chapter::stops},
                                    {"contact", Chapter::contact},
                                    {"power", Chapter::power}};
  return all;
}

/// A share from 0 to 1, "0.5" or "50%".
double parse_share(const std::string& option, const std::string& text) {
  const bool is_percent = text.ends_with('%');
  const double number =
      parse_tolerance(option, is_percent ? text.substr(0, text.size() - 1) : text);
  const double share = is_percent ? 0.01 * number : number;
  require(share <= 1.0, option, text, "a share up to 1, as 0.5 or 50%");
  return share;
}

void declare_stops(OptionList& list, DatasheetOptions& options) {
  list.text("--brakes", "LIST", options.brakes,
            "torques of the brakes at the joints, N·m (default: limits of torque)");
  list.text("--brakes-up-to", "LIST", options.brakes_up_to,
            "largest torques of the brakes, N·m: stops as ranges (default: --brakes)");
  list.option("--brake-delay", "SECONDS", options.brake_delay, parse_duration_or_zero,
              "delay of the brakes, s (default: 0.1)");
  list.option("--stops-along", "MOTION", options.stops_along, as_written,
              "motion file: its longest stops, with the instant of each");
  list.option("--published", "FILE", options.published, as_written,
              "CSV of the maker's stops, beside the computed ones: joint,category,time,angle");
  list.check([&options] {
    refuse_if(!options.stops_along.empty() && !options.wants(Chapter::stops),
              "--stops-along needs the chapter stops; add it to --what");
  });
}

/// Files with the accelerations as limits.
void declare_limits(OptionList& list, DatasheetOptions& options) {
  list.text("--joint-limits", "FILE.yaml", options.joint_limits,
            "write the accelerations as joint_limits.yaml of MoveIt")
      .for_command_line();
  list.text("--limited", "ROBOT.yaml", options.limited_robot,
            "write the robot file with the accelerations as its limits")
      .for_command_line();
  declare_model(list, "--joint-limits", options.joint_limits, options.output.force);
  list.writes("--limited", options.limited_robot, &options.output.force);
  list.check([&options] {
    refuse_other_than_yaml("--joint-limits", options.joint_limits);
    refuse_other_than_yaml("--limited", options.limited_robot);
  });
}

void declare(OptionList& list, DatasheetOptions& options) {
  declare_robot(list, options.robot);
  list.option(
      "--what", "LIST", options.chapters,
      [](const std::string& option, const std::string& text) {
        return chapters().several(option, text);
      },
      "which chapters: " + chapters().text() + " (default: all)");
  list.text("--ratio", "LIST", options.ratio,
            "ratio of the joints' accelerations, a number each (default: equal)");
  list.text("--accelerations", "LIST", options.accelerations,
            "accelerations at which payload is carried, rad/s² or m/s² (default: rest)");
  list.option("--speed-share", "SHARE", options.speed_share, parse_share,
              "accelerations at speeds up to this share of their limits (default: 1)");
  list.option("--max-gap", "SHARE", options.gap, parse_share,
              "largest gap between guaranteed and found, as 0.05 or 5% (default: 5%)");
  list.option("--boxes", "N", options.boxes, parse_count,
              "upper limit of boxes of positions per number (default: 40000)");
  declare_stops(list, options);
  list.option("--regions", "FILE", options.regions, as_written,
              "CSV of body regions: region,force,stiffness,mass (default: ISO/TS 15066)");
  declare_limits(list, options);
  declare_output(list, options.output);
}

/// Numbers that the file lacks.
std::vector<std::string> missing(const SheetArm& arm, const DatasheetOptions& options) {
  const Robot& robot = arm.robot;
  std::vector<std::string> found;
  const auto note = [&](const char* what, auto lacks) {
    const auto joints = where(robot.dof(), [&](std::size_t i) { return lacks(robot.joints[i]); });
    if (joints.empty()) return;
    const bool all = joints.size() == robot.dof();
    found.push_back(
        fmt::format("{}{}", what,
                    all ? "" : fmt::format(" of {}", fmt::join(joint_names(robot, joints), ", "))));
  };
  note("limits of torque", [](const Joint& joint) { return !joint.limits.torque; });
  note("limits of velocity (such joints count as slow)",
       [](const Joint& joint) { return !joint.limits.velocity; });
  note("rotor inertia (accelerations come out too large)",
       [](const Joint& joint) { return joint.motor.rotor_inertia == 0.0; });
  note("friction (torques come out too small)", [&arm, &robot](const Joint& joint) {
    const auto i = static_cast<std::size_t>(&joint - robot.joints.data());
    return !has_friction(arm.loaded.arm.drives[i]);
  });
  found.emplace_back(options.brakes.empty() ? "brakes, and the weight of the base itself"
                                            : "the weight of the base itself");
  return found;
}

/// The searches for the numbers of a sheet, and the sheet.
class DatasheetRun : boost::noncopyable {
 public:
  DatasheetRun(const DatasheetOptions& options, Run& run)
      : options_(options),
        run_(run),
        arm_(options, run),
        accelerations_(arm_, options),
        stops_(arm_, options) {}

  Answer answer() {
    search();
    Answer answer{run_.document()};
    Document& document = answer.document;
    document.add(Fields{words(arm_.robot.name +
                              ": data sheet by the model; guaranteed numbers are proven for all "
                              "positions within the limits")});
    document.add("not_in_file", Paragraphs{"not in the file: ", missing(arm_, options_)});
    document.views.is_sheet = true;
    add_chapters(document);
    if (payload_) document.views.figures = payload_->diagrams();
    answer.artifacts = accelerations_.limits(run_);
    const bool wants_files = run_.wants("--joint-limits") || run_.wants("--limited");
    if (wants_files && answer.artifacts.empty()) answer.ending = Ending::no;
    document.warnings = joined({warnings_, limits_of_followers(), accelerations_.warnings()});
    return answer;
  }

 private:
  void search() {
    Searches searches;
    if (wants(Chapter::arm) || wants(Chapter::payload)) find_reach();
    if (wants(Chapter::payload) && arm_.limits_torque()) {
      payload_.emplace(arm_, options_, reach_).add_searches(searches);
    }
    const bool needs_accelerations =
        wants(Chapter::accelerations) || wants(Chapter::base) || wants(Chapter::power);
    if (needs_accelerations && arm_.limits_torque()) accelerations_.add_searches(searches);
    stops_.add_searches(searches, run_, warnings_);
    if (wants(Chapter::contact)) {
      searches.emplace_back([this] { effective_mass_ = largest_effective_mass(arm_.loaded); });
    }
    run_.do_all(searches);
    searches.clear();
    if (wants(Chapter::base)) {
      base_.add_searches(searches, accelerations_.guaranteed(), stops_.strongest_brakes(),
                         warnings_);
    }
    if (wants(Chapter::power) && accelerations_.is_searched()) {
      const std::vector<double> most = accelerations_.guaranteed_at_low_speed();
      if (std::ranges::min(most) > 0.0) {
        searches.emplace_back([this, most] { cycle_ = worst_cycle(arm_.robot, most); });
      }
    }
    run_.do_all(searches);
  }

  void find_reach() {
    const auto square = [this](std::span<const double> q) {
      return std::pow(arm_.empty.reach(q), 2.0);
    };
    reach_ = std::sqrt(JointSpace(arm_.robot).largest(square).value);
  }

  void add_chapters(Document& document) const {
    const auto add = [&](Chapter chapter, bool is_searched, const auto& sections) {
      if (!wants(chapter)) return;
      if (is_searched) return document.add(sections());
      document.sections.push_back(
          {"",
           chapters().name_of(chapter) + ": not computed without " +
               (accelerations_.is_searched() ? "accelerations" : "limits of torque"),
           "", true});
    };
    add(Chapter::arm, true, [this] { return arm_chapter(arm_, reach_); });
    add(Chapter::payload, payload_.has_value(), [this] { return payload_->sections(); });
    add(Chapter::accelerations, accelerations_.is_searched(),
        [this] { return accelerations_.sections(); });
    add(Chapter::base, base_.has_loads(), [this] { return base_.sections(); });
    add(Chapter::stops, stops_.has_brakes(), [this] { return stops_.sections(); });
    add(Chapter::contact, true,
        [this] { return contact_chapter(arm_, effective_mass_, options_.regions); });
    add(Chapter::power, cycle_.has_value(),
        [this] { return power_chapter(arm_, *cycle_, !accelerations_.is_possible()); });
  }

  /// Warning of limits that the sheet leaves out.
  [[nodiscard]] std::vector<std::string> limits_of_followers() const {
    std::set<std::string> followers;
    for (const RowLimit& limit : row_limits(arm_.robot)) {
      followers.insert(limited_name(arm_.robot, limit));
    }
    if (followers.empty()) return {};
    return {fmt::format(
        "the sheet leaves out the limits of {}, which follow several joints; what is guaranteed "
        "still holds",
        fmt::join(followers, ", "))};
  }

  [[nodiscard]] bool wants(Chapter chapter) const { return options_.wants(chapter); }

  const DatasheetOptions& options_;
  Run& run_;
  SheetArm arm_;
  double reach_ = 0.0;  // the largest found, m
  std::optional<PayloadChapter> payload_;
  AccelerationChapter accelerations_;
  BaseChapter base_{arm_};
  StopChapter stops_;
  AtPosition effective_mass_;
  std::optional<WorstCycle> cycle_;
  std::vector<std::string> warnings_;
};

Answer datasheet(const DatasheetOptions& options, Run& run) {
  refuse_many_joints("datasheet", run.robot().robot, TaylorModel::most_epsilons);
  return DatasheetRun(options, run).answer();
}

}  // namespace

Verb datasheet_verb() {
  return verb<DatasheetOptions>(
      "datasheet", "Data sheet: payload, accelerations and base loads that always hold",
      "  armdyn datasheet ur10e --payload 10 --boxes 500 --report sheet.html\n"
      "  armdyn datasheet ur5e --what payload --boxes 2000\n"
      "  armdyn datasheet ur5e --payload 2 --speed-share 0.5 --what accelerations --joint-limits "
      "limits.yaml\n",
      declare, datasheet);
}

}  // namespace armdyn
