// armdyn datasheet: what an arm carries, how it may accelerate, what its base feels, by its model.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cli/options/robot_formats.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "datasheet/power.hpp"
#include "datasheet/stopping.hpp"
#include "log/named_rows.hpp"
#include "math/characters.hpp"
#include "model/mechanism.hpp"
#include "model/shown_unit.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"
#include "text/quoted_word.hpp"

namespace armdyn {

/// Chapters of the sheet, in their order.
enum class Chapter { arm, payload, accelerations, base, stops, contact, power };

struct DatasheetOptions : VerbOptions {
  std::vector<Chapter> chapters;  ///< none: all
  std::string ratio;              ///< of accelerations; empty: the same for all joints
  std::string accelerations;      ///< at which payload is carried; empty: at rest
  double speed_share = 100.0;     ///< percent of the limits of velocity
  double gap = 5.0;               ///< percent
  int boxes = 40000;
  std::string brakes;                       ///< torques; empty: those of the limits
  std::string brakes_up_to;                 ///< the largest torques; empty: as `brakes`
  double brake_delay = 0.1;                 ///< s
  std::string stops_along;                  ///< a motion whose stops count; empty: none
  std::string published;                    ///< CSV of the maker's stops; empty: none
  std::string regions;                      ///< CSV; empty: those of the standard
  std::string joint_limits, limited_robot;  ///< files to be written; empty: none
};

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

/// A number of percent, its sign written or not; below 1 it must be, since a share may be meant.
double parse_percent(const std::string& option, const std::string& text) {
  const bool is_signed = text.ends_with('%');
  const double percent =
      parse_tolerance(option, is_signed ? text.substr(0, text.size() - 1) : text);
  if (is_signed || percent == 0.0 || percent >= 1.0) return percent;
  throw UsageError("{}: found {}, expected percent, e.g. 50; {}% if so little is meant", option,
                   text, text);
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
  list.option("--speed-share", "PERCENT", options.speed_share, parse_percent,
              "accelerations at speeds up to this share of their limits, in % (default: 100)");
  list.option("--max-gap", "PERCENT", options.gap, parse_percent,
              "largest gap between guaranteed and found, in % (default: 5)");
  list.option("--boxes", "N", options.boxes, parse_count,
              "upper limit of boxes of positions per number (default: 40000)");
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
  list.option("--regions", "FILE", options.regions, as_written,
              "CSV of body regions: region,force,stiffness,mass (default: ISO/TS 15066)");
  list.text("--joint-limits", "FILE.yaml", options.joint_limits,
            "write the accelerations as joint_limits.yaml of MoveIt")
      .for_command_line();
  list.text("--limited", "ROBOT.yaml", options.limited_robot,
            "write the robot file with the accelerations as its limits")
      .for_command_line();
  declare_model(list, "--joint-limits", options.joint_limits, options.output.force);
  list.writes("--limited", options.limited_robot, &options.output.force);
  list.check([&options] {
    const bool has_stops =
        options.chapters.empty() || std::ranges::count(options.chapters, Chapter::stops) > 0;
    refuse_if(!options.stops_along.empty() && !has_stops,
              "--stops-along needs the chapter stops; add it to --what");
    refuse_other_than_yaml("--joint-limits", options.joint_limits);
    refuse_other_than_yaml("--limited", options.limited_robot);
  });
  declare_output(list, options.output);
}

/// Payload at a reach, or at an offset of the load's center.
struct PayloadRow {
  LoadCase load;
  double offset = 0.0;  ///< of the load's center along the tool's z, m
  ProvenLimit limit{};
};

/// Content of the sheet.
struct Datasheet {
  double reach = 0.0;  ///< the largest found, m
  std::vector<PayloadRow> payload;
  std::vector<double> ratio;
  std::optional<ProvenLimit> at_rest, uniform, by_ratio;
  struct BaseRow {
    BaseLoad load;
    During during;
    std::vector<double> most;
    BaseLoadBound bound{};
  };
  std::vector<BaseRow> base;
  std::vector<double> brakes, strongest_brakes;
  struct PublishedStop {
    std::string joint, category;
    double time = 0.0, angle = 0.0;
  };
  std::vector<PublishedStop> published;
  std::vector<Stop> stops;
  std::vector<MotionStop> stops_along;
  AtPosition effective_mass;
  std::optional<WorstCycle> cycle;
};

class DatasheetRun {
 public:
  DatasheetRun(const DatasheetOptions& options, Run& run)
      : options_(options),
        run_(run),
        robot_(run.robot().robot),
        loaded_(robot_),
        empty_(unloaded()) {
    effort_ = {0.01 * options.gap, static_cast<std::size_t>(options.boxes),
               [&run] { run.throw_if_interrupted(); }};
    sheet_.ratio = options.ratio.empty() ? std::vector<double>(robot_.dof(), 1.0)
                                         : parse_positive_each("--ratio", options.ratio, robot_);
  }

  Answer answer() {
    compute();
    Answer answer{run_.document()};
    Document& document = answer.document;
    document.add(Fields{words(robot_.name + ": data sheet by the model; guaranteed numbers are "
                                            "proven for all positions within the limits")});
    document.add("not_in_file", Paragraphs{"not in the file: ", missing()});
    document.views.is_sheet = true;
    const auto add = [&](Chapter chapter, bool is_computed, auto sections) {
      if (!wants(chapter)) return;
      if (is_computed) {
        document.add((this->*sections)());
      } else {
        document.sections.push_back({"",
                                     chapters().name_of(chapter) + ": not computed without " +
                                         (sheet_.uniform ? "accelerations" : "limits of torque"),
                                     "", true});
      }
    };
    add(Chapter::arm, true, &DatasheetRun::arm_sections);
    add(Chapter::payload, limits_torque(), &DatasheetRun::payload_sections);
    const auto has_payload = [](const PayloadRow& row) { return row.limit.exists(); };
    if (std::ranges::any_of(sheet_.payload, has_payload)) {
      document.views.figures = {payload_diagrams()};
    }
    add(Chapter::accelerations, limits_torque(), &DatasheetRun::acceleration_sections);
    add(Chapter::base, !sheet_.base.empty(), &DatasheetRun::base_sections);
    add(Chapter::stops, has_brakes(), &DatasheetRun::stop_sections);
    if (wants(Chapter::contact)) document.add(contact_sections());
    add(Chapter::power, sheet_.cycle.has_value(), &DatasheetRun::power_sections);
    if (sheet_.uniform) answer.artifacts = artifacts();
    const bool wants_files = run_.wants("--joint-limits") || run_.wants("--limited");
    if (wants_files && answer.artifacts.empty()) answer.ending = Ending::no;
    document.warnings = warnings();
    return answer;
  }

 private:
  [[nodiscard]] bool wants(Chapter chapter) const {
    return options_.chapters.empty() || std::ranges::count(options_.chapters, chapter) > 0;
  }

  [[nodiscard]] LimitedArm unloaded() const {
    Robot robot = robot_;
    robot.payload = {};
    return LimitedArm(robot);
  }

  [[nodiscard]] bool limits_torque() const {
    return std::ranges::any_of(loaded_.torques, [](double most) { return std::isfinite(most); });
  }
  [[nodiscard]] bool needs_accelerations() const {
    return wants(Chapter::base) || wants(Chapter::power);
  }
  /// Tests whether some brake has a torque, its own or that of the limits.
  [[nodiscard]] bool has_brakes() const {
    return std::ranges::any_of(sheet_.brakes, [](double most) { return std::isfinite(most); });
  }

  void compute() {
    std::vector<std::function<void()>> jobs;
    if (wants(Chapter::arm) || wants(Chapter::payload)) find_reach();
    if (wants(Chapter::payload) && limits_torque()) add_payload_jobs(jobs);
    if (limits_torque() && (wants(Chapter::accelerations) || needs_accelerations())) {
      const std::vector<double> equal(robot_.dof(), 1.0);
      if (wants(Chapter::accelerations) || wants(Chapter::power)) {
        jobs.emplace_back(
            [=, this] { sheet_.at_rest = largest_accelerations(loaded_, equal, 0.0, effort_); });
      }
      jobs.emplace_back(
          [=, this] { sheet_.uniform = largest_accelerations(loaded_, equal, share(), effort_); });
      if (!options_.ratio.empty()) {
        jobs.emplace_back([=, this] {
          sheet_.by_ratio = largest_accelerations(loaded_, sheet_.ratio, share(), effort_);
        });
      }
    }
    sheet_.brakes = options_.brakes.empty()
                        ? loaded_.torques
                        : parse_positive_each("--brakes", options_.brakes, robot_);
    sheet_.strongest_brakes =
        options_.brakes_up_to.empty()
            ? sheet_.brakes
            : parse_positive_each("--brakes-up-to", options_.brakes_up_to, robot_);
    if (!options_.published.empty()) read_published();
    if (wants(Chapter::stops)) {
      jobs.emplace_back([this] {
        sheet_.stops =
            longest_stops(robot_, sheet_.brakes, sheet_.strongest_brakes, options_.brake_delay);
      });
    }
    if (!options_.stops_along.empty()) {
      RowReader& rows = run_.reader(options_.stops_along, {}, motion_groups(), {});
      Doubts doubts;
      jobs.emplace_back([this, motion = recorded(read_motion(rows, robot_, doubts))] {
        sheet_.stops_along = longest_stops_along(robot_, motion, sheet_.brakes,
                                                 options_.brake_delay, effort_.at_each_box);
      });
      append(warnings_, doubts.sentences);
    }
    if (wants(Chapter::contact)) {
      jobs.emplace_back([this] { sheet_.effective_mass = largest_effective_mass(loaded_); });
    }
    run_.do_all(jobs);
    jobs.clear();
    if (wants(Chapter::base)) add_base_jobs(jobs);
    if (wants(Chapter::power) && sheet_.uniform) {
      const std::vector<double> most =
          accelerates() ? accelerations()
                        : std::vector<double>(robot_.dof(), sheet_.at_rest->guaranteed);
      if (std::ranges::min(most) > 0.0) {
        jobs.emplace_back([this, most] { sheet_.cycle = worst_cycle(robot_, most); });
      }
    }
    run_.do_all(jobs);
  }

  void find_reach() {
    const auto square = [this](std::span<const double> q) {
      return std::pow(empty_.reach(q), 2.0);
    };
    sheet_.reach = std::sqrt(JointSpace(robot_).largest(square).value);
  }

  void add_payload_jobs(std::vector<std::function<void()>>& jobs) {
    const auto accelerations =
        options_.accelerations.empty()
            ? std::vector<double>()
            : parse_positive_each("--accelerations", options_.accelerations, robot_);
    const auto add = [&](std::optional<double> reach, double offset) {
      const Vec3 center = robot_.payload.com + Vec3{0.0, 0.0, offset};
      sheet_.payload.push_back({{reach, center, accelerations}, offset});
    };
    for (const double share : {0.4, 0.6, 0.8}) add(share * sheet_.reach, 0.0);
    for (const double share : {0.0, 0.1, 0.2, 0.3}) add({}, share * sheet_.reach);
    for (PayloadRow& row : sheet_.payload) {
      jobs.emplace_back([this, &row] { row.limit = largest_payload(empty_, row.load, effort_); });
    }
  }

  void add_base_jobs(std::vector<std::function<void()>>& jobs) {
    for (const During during : {During::motion, During::stop}) {
      const std::vector<double> most = during == During::stop ? sheet_.strongest_brakes
                                       : sheet_.uniform       ? accelerations()
                                                              : std::vector<double>();
      if (std::ranges::any_of(most, [](double x) { return std::isinf(x); }) || most.empty())
        continue;
      if (during == During::stop && stops_at_once()) continue;
      for (const BaseLoad load :
           {BaseLoad::vertical, BaseLoad::horizontal, BaseLoad::tilting, BaseLoad::turning}) {
        sheet_.base.push_back({load, during, most});
      }
    }
    SearchEffort effort = effort_;
    effort.boxes /= 4;
    for (Datasheet::BaseRow& row : sheet_.base) {
      jobs.emplace_back([this, &row, effort] {
        row.bound = largest_base_load(loaded_, row.load, row.during, row.most, effort);
      });
    }
  }

  /// Notes joints about which the arm has no inertia, so that no deceleration by a brake is known.
  bool stops_at_once() {
    const JointSpace space(robot_);
    const auto joints = where(robot_.dof(), [&](std::size_t i) {
      const auto inertia = [&](std::span<const double> q) { return inertia_about(loaded_, i, q); };
      return !(space.smallest(inertia).value > 1e-12 * space.largest(inertia).value);
    });
    if (joints.empty()) return false;
    warnings_.push_back(fmt::format(
        "base loads of an emergency stop are not computed: there is no inertia about {}, which its "
        "brake stops at once; give its body an inertia, or its motor a rotor_inertia",
        fmt::join(joint_names(robot_, joints), ", ")));
    return true;
  }

  /// Guaranteed accelerations of the joints, by the ratio where there is one.
  [[nodiscard]] std::vector<double> accelerations() const {
    const ProvenLimit& limit = sheet_.by_ratio ? *sheet_.by_ratio : *sheet_.uniform;
    const double most = std::max(0.0, limit.guaranteed);
    return each(sheet_.ratio, [most](double ratio) { return ratio * most; });
  }

  [[nodiscard]] std::vector<std::string> missing() const {
    std::vector<std::string> found;
    const auto note = [&](const char* what, auto lacks) {
      const auto joints =
          where(robot_.dof(), [&](std::size_t i) { return lacks(robot_.joints[i]); });
      if (joints.empty()) return;
      const bool all = joints.size() == robot_.dof();
      found.push_back(fmt::format(
          "{}{}", what,
          all ? "" : fmt::format(" of {}", fmt::join(joint_names(robot_, joints), ", "))));
    };
    note("limits of torque", [](const Joint& joint) { return !joint.limits.torque; });
    note("limits of velocity (such joints count as slow)",
         [](const Joint& joint) { return !joint.limits.velocity; });
    note("rotor inertia (accelerations come out too large)",
         [](const Joint& joint) { return joint.motor.rotor_inertia == 0.0; });
    note("friction (torques come out too small)", [this](const Joint& joint) {
      const auto i = static_cast<std::size_t>(&joint - robot_.joints.data());
      return !has_friction(loaded_.arm.drives[i]);
    });
    found.emplace_back(options_.brakes.empty() ? "brakes, and the weight of the base itself"
                                               : "the weight of the base itself");
    return found;
  }

  [[nodiscard]] std::string joint_of(const ProvenLimit& limit) const {
    return limit.exists() ? robot_.joints[limit.index].name : "-";
  }

  /// A lower bound, and the number found; none below 0.
  static Fields proven(const ProvenLimit& limit, double factor, const std::string& unit,
                       const std::string& units) {
    const auto shown = [&](double value, const auto&... bound) -> Value {
      if (!limit.exists()) return {};
      const double number = std::max(0.0, factor * value);
      return {number, Value::number(shown_value(number, unit), bound...).brief};
    };
    return {{"guaranteed", "guaranteed [" + units + "]", shown(limit.guaranteed, Bound::lower)},
            {"found", "found [" + units + "]", shown(limit.found)}};
  }

  [[nodiscard]] Sections arm_sections() const {
    const Fields head{
        {"reach", fmt::format("reach {{}} m from the axis of {}, the largest found", first_axis()),
         Value::number(sheet_.reach)},
        {"mass", "; mass of the links {} kg", Value::number(mass_of_links(robot_))},
        {for_people, "; payload {} kg",
         robot_.payload.is_none() ? Value{} : Value::number(robot_.payload.mass)}};
    FieldTable joints;
    for (const Joint& joint : robot_.joints) {
      const Limits& limits = joint.limits;
      const auto end = [&](double Range::*of) {
        return limits.position ? Value::number((*limits.position).*of, position_unit(joint))
                               : Value{};
      };
      joints.rows.push_back(
          {{"name", "joint", Value::word(joint.name)},
           {"lower", angle_label("from"), end(&Range::lower)},
           {"upper", angle_label("to"), end(&Range::upper)},
           {"velocity", label("speed", "rad/s", "m/s"),
            Value::number(limits.velocity, speed_unit(joint))},
           {"torque", label("torque", "N·m", "N"), Value::number(limits.torque)}});
    }
    std::vector<std::string> description;
    if (!robot_.description.empty()) description.push_back(in_one_line(robot_.description));
    return {{"arm", Sections{{"", Paragraphs{"", description}}, {"", head}, {"joints", joints}},
             "Arm", true}};
  }
  /// The axis from which reach is measured.
  [[nodiscard]] const char* first_axis() const {
    return loaded_.arm.is_serial() ? "joint 1" : "the first joint that moves it";
  }

  [[nodiscard]] Sections payload_sections() const {
    FieldTable table;
    for (const PayloadRow& row : sheet_.payload) {
      Fields fields{
          {"reach", "TCP within [m]", Value::number(row.load.reach.value_or(sheet_.reach))},
          {"offset", "offset [m]", Value::number(row.offset)}};
      append(fields, proven(row.limit, 1.0, "kg", "kg"));
      fields.push_back({"limit", "limited by", Value::word(joint_of(row.limit))});
      fields.push_back({"q", for_programs, Value::data(joint_values(row.limit.q))});
      table.rows.push_back(std::move(fields));
    }
    const Vec3& center = robot_.payload.com;
    const std::string assumed = fmt::format(
        "A point mass {}, within the limits of torque. Reach is the distance of the TCP "
        "from the axis of {}. The offset of the load is along the tool's z axis, from {}.",
        options_.accelerations.empty()
            ? "at rest"
            : "at low speed, with all of the friction and accelerations up to " +
                  one_or_each(sheet_.payload.front().load.accelerations) +
                  " rad/s² (m/s²) of any sign",
        first_axis(),
        center == Vec3{}
            ? "the TCP"
            : fmt::format("the payload's center, ({}, {}, {}) m in the tool frame",
                          short_number(center.x), short_number(center.y), short_number(center.z)));
    Sections found{{"", Paragraphs{"", {assumed}}, "Payload", true}, {"payload", table}};
    if (!robot_.payload.is_none() && robot_.dof() > 3) append(found, wrist_sections());
    return found;
  }

  /// The two diagrams of makers: payload over reach, and over the offset of the load's center.
  [[nodiscard]] Figure payload_diagrams() const {
    const auto diagram = [this](const char* title, const char* x_label, const auto& x_of) {
      Panel panel{title, "payload", "kg", {{"guaranteed", {}, {}}, {"found", {}, {}}}};
      panel.x_label = x_label;
      panel.x_unit = "m";
      panel.has_zero = true;
      for (const PayloadRow& row : sheet_.payload) {
        const std::optional<double> x = x_of(row);
        if (!x || !row.limit.exists()) continue;
        for (Curve& curve : panel.curves) curve.x.push_back(*x);
        panel.curves[0].y.push_back(std::max(0.0, row.limit.guaranteed));
        panel.curves[1].y.push_back(std::max(0.0, row.limit.found));
      }
      return panel;
    };
    using Place = std::optional<double>;
    return {robot_.name + ": data sheet",
            "payload",
            {diagram("Payload over reach", "TCP within",
                     [this](const PayloadRow& row) {
                       return row.offset == 0.0 ? row.load.reach.value_or(sheet_.reach) : Place();
                     }),
             diagram("Payload over offset", "offset",
                     [](const PayloadRow& row) { return row.load.reach ? Place() : row.offset; })}};
  }

  [[nodiscard]] Sections wrist_sections() const {
    const std::string assumed = fmt::format(
        "The payload of {} kg at the wrist: the largest moment of its weight found, its share of "
        "the limit of torque, and the largest inertia about the axis.",
        short_number(robot_.payload.mass));
    FieldTable table;
    for (const auto& [joint, moment, inertia] : wrist_loads(robot_)) {
      const auto& most = robot_.joints[joint].limits.torque;
      table.rows.push_back(
          {{"name", "joint", Value::word(robot_.joints[joint].name)},
           {"moment", label("moment", "N·m", "N"), Value::number(moment)},
           {"share", "of limit",
            most ? Value{moment / *most, fmt::format("{:.1f} %", 100.0 * moment / *most)}
                 : Value{}},
           {"inertia", label("inertia", "kg·m²", "kg"), Value::number(inertia)}});
    }
    return {{"", Paragraphs{"", {assumed}}, "Payload at the wrist", true}, {"wrist", table}};
  }

  [[nodiscard]] Sections acceleration_sections() const {
    const std::string assumed = fmt::format(
        "They always hold: of any sign, at all positions, with the payload and all of the "
        "friction, "
        "at speeds up to {} % of their limits, all at once.",
        short_number(options_.speed_share));
    Sections found{{"", Paragraphs{"", {assumed}}, "Accelerations", true}};
    const auto& uniform = *sheet_.uniform;
    const bool all_turn = std::ranges::all_of(robot_.joints, turns);
    const std::string unit = all_turn ? shown_unit("rad/s²") : "rad/s² (m/s²)";  // of joints alike
    const auto bounds = [&](const ProvenLimit& limit, const std::string& first) -> Fields {
      const Fields of = proven(limit, 1.0, all_turn ? "rad/s²" : "", "");
      return {{"guaranteed", first + " {} " + unit + " guaranteed", of[0].value},
              {"found", ", {} the least found", of[1].value}};
    };
    Fields head = bounds(uniform, "all joints alike:");
    head.push_back({"limit", "; limited by {}", Value::word(joint_of(uniform))});
    head.push_back({"q", for_programs, Value::data(joint_values(uniform.q))});
    const Fields at_rest = bounds(*sheet_.at_rest, "the same at low speed:");
    FieldTable joints;
    const std::vector<double> most = accelerations();
    const ProvenLimit& limit = sheet_.by_ratio ? *sheet_.by_ratio : uniform;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      Fields fields{{"name", "joint", Value::word(robot_.joints[i].name)},
                    {"ratio", "chosen ratio", Value::number(sheet_.ratio[i])}};
      append(fields, proven(limit, sheet_.ratio[i], acceleration_unit(robot_.joints[i]),
                            shown_unit("rad/s²") + (all_turn ? "" : ", m/s²")));
      joints.rows.push_back(std::move(fields));
    }
    const Audience audience = sheet_.by_ratio ? Audience::all : Audience::programs;
    found.push_back(
        {"accelerations",
         Sections{{"", head}, {"at_rest", at_rest}, {"joints", joints, "", false, audience}}});
    return found;
  }

  [[nodiscard]] Sections base_sections() const {
    const char* const assumed =
        "Loads that the arm puts on its base, without the base's own weight, moments about the "
        "origin of {0}. In motion: at speeds within the limits and the accelerations above. "
        "Emergency stop: from such speeds, while each brake acts on the inertia about its own "
        "joint, all at once.";
    Sections found{{"", Paragraphs{"", {assumed}}, "Loads on the base", true}};
    const std::array<const char*, 4> names{"vertical", "horizontal", "tilting", "turning"};
    Json data;
    FieldTable table{std::vector<Fields>(names.size())};
    for (const auto& [load, during, most, bound] : sheet_.base) {
      const bool stops = during == During::stop;
      const auto number = static_cast<std::size_t>(load);
      const Fields values{
          {"guaranteed", "at most",
           std::isfinite(bound.guaranteed) ? Value::number(bound.guaranteed, Bound::upper)
                                           : Value{}},
          {"found", "found", Value::number(bound.found)}};
      data[stops ? "emergency_stop" : "in_motion"][names[number]] = object(values);
      Fields& row = table.rows[number];
      if (row.empty()) {
        const char* const unit = number < 2 ? "N" : "N·m";
        row.push_back({"", "load", Value::word(fmt::format("{} [{}]", names[number], unit))});
      }
      append_group(row, stops ? "emergency stop" : "in motion", values);
    }
    found.push_back({"", table, "", false, Audience::people});
    found.push_back({"base", data, "", false, Audience::programs});
    return found;
  }

  /// Appends fields for people, under the name of their group.
  static void append_group(Fields& row, const std::string& name, const Fields& fields) {
    for (const Field& field : fields) {
      row.push_back({for_people, name + ": " + *field.label, field.value});
    }
  }
  static std::string one_or_each(const std::vector<double>& list) {
    const bool is_one = std::ranges::count(list, list.front()) == std::ssize(list);
    return number_list(is_one ? std::span(list).first(1) : std::span(list));
  }
  static std::string torques(const std::vector<double>& list) {
    const auto texts = each(list, [](double most) {
      return std::isfinite(most) ? short_number(most) : std::string("-");
    });
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  /// "speed [rad/s, m/s]": unit of revolute joints, and of others where there are some.
  [[nodiscard]] std::string label(const std::string& what, const char* of_turns,
                                  const char* of_slides) const {
    const bool all_turn = std::ranges::all_of(robot_.joints, turns);
    return fmt::format("{} [{}{}]", what, shown_unit(of_turns),
                       all_turn ? "" : fmt::format(", {}", of_slides));
  }
  [[nodiscard]] std::string angle_label(const std::string& what) const {
    return label(what, "rad", "m");
  }

  /// What the maker publishes for a stop from full speed, extension and load.
  [[nodiscard]] Fields published(const Stop& stop) const {
    const std::string& joint = robot_.joints[stop.joint].name;
    const bool is_full = stop.speed == 1.0 && stop.extension == 1.0 && stop.load == 1.0;
    const auto row = std::ranges::find_if(sheet_.published, [&](const auto& known) {
      return is_full &&
             (known.joint == joint || known.joint == fmt::format("{}", stop.joint + 1)) &&
             known.category == fmt::format("{}", stop.category);
    });
    const bool is_there = row != sheet_.published.end();
    return {
        {"published_time", "time [s]", is_there ? Value::number(row->time) : Value{}},
        {"published_angle", angle_label("angle"),
         is_there ? Value::number(row->angle, position_unit(robot_.joints[stop.joint])) : Value{}}};
  }

  [[nodiscard]] Sections stop_sections() const {
    const std::string assumed = fmt::format(
        "The longest stops found of one joint alone, at full extension and load; friction is "
        "neglected. Category 0: brakes of {} N·m (N){} after {} s. Category 1: the largest "
        "constant "
        "deceleration within the limits of torque.",
        torques(sheet_.brakes),
        std::string(options_.brakes.empty() ? ", the limits of torque," : "") +
            (options_.brakes_up_to.empty() ? "" : " to " + torques(sheet_.strongest_brakes)),
        short_number(options_.brake_delay));
    FieldTable all;
    std::map<std::pair<std::size_t, int>, Fields> largest;  // by joint and category
    for (const Stop& stop : sheet_.stops) {
      const Joint& joint = robot_.joints[stop.joint];
      const bool stops = std::isfinite(stop.way.angle) && stop.way.angle > 0.0;
      Fields way{{"time", "time [s]", stops ? Value::number(stop.way.time) : Value{}},
                 {"angle", angle_label("angle"),
                  stops ? Value::number(stop.way.angle, position_unit(joint)) : Value{}}};
      if (!options_.brakes_up_to.empty()) {
        const bool holds = stop.category == 0 && std::isfinite(stop.strongest.angle);
        way.push_back(
            {"least_time", "least [s]", holds ? Value::number(stop.strongest.time) : Value{}});
        way.push_back(
            {"least_angle", angle_label("least"),
             holds ? Value::number(stop.strongest.angle, position_unit(joint)) : Value{}});
      }
      Fields& row = all.rows.emplace_back(
          Fields{{"joint", for_programs, Value::word(joint.name)},
                 {"category", for_programs, Value::count(static_cast<unsigned>(stop.category))},
                 {"speed", for_programs, Value::data(stop.speed)},
                 {"extension", for_programs, Value::data(stop.extension)},
                 {"load", for_programs, Value::data(stop.load)}});
      append(row, way);
      if (!sheet_.published.empty()) append(row, published(stop));
      if (stop.load != 1.0 || stop.extension != 1.0) continue;
      Fields& seen = largest[{stop.joint, stop.category}];
      if (seen.empty()) {
        const std::string which = fmt::format("{}, {}", joint.name, stop.category);
        seen.push_back({for_people, "joint, category", Value::word(which)});
      }
      append_group(seen, fmt::format("{:.0f} % speed", 100.0 * stop.speed), way);
      if (stop.speed == 1.0 && !sheet_.published.empty()) {
        append_group(seen, "published", published(stop));
      }
    }
    FieldTable seen;
    for (auto& [which, row] : largest) seen.rows.push_back(std::move(row));
    Sections found{{"", Paragraphs{"", {assumed}}, "Stops", true},
                   {"", seen, "", false, Audience::people},
                   {"stops", all, "", false, Audience::programs}};
    if (!options_.stops_along.empty()) append(found, motion_stop_sections());
    return found;
  }

  /// The longest stops along the motion of --stops-along.
  [[nodiscard]] Sections motion_stop_sections() const {
    const char* const assumed =
        "The longest stops that begin at one of 200 instants of the motion. Category 0: the motors "
        "leave the arm to all brakes at once, which act after that delay. Category 1: the largest "
        "constant deceleration of the motion's time, on its path.";
    FieldTable table;
    for (const MotionStop& stop : sheet_.stops_along) {
      const bool stops = std::isfinite(stop.time);
      const auto largest =
          std::ranges::max_element(stop.angles, {}, [](double angle) { return std::abs(angle); });
      const auto most = static_cast<std::size_t>(largest - stop.angles.begin());
      table.rows.push_back(
          {{"category", "category", Value::count(static_cast<unsigned>(stop.category))},
           {"longest", "longest", Value::word(stop.longest == &MotionStop::time ? "time" : "path")},
           {"at", "at [s]", Value::number(stop.at)},
           {"time", "time [s]", stops ? Value::number(stop.time) : Value{}},
           {"path", "path of the TCP [m]", stops ? Value::number(stop.path) : Value{}},
           {"joint", "most of", stops ? Value::word(robot_.joints[most].name) : Value{}},
           {"angle", angle_label("angle"),
            stops ? Value::number(*largest, position_unit(robot_.joints[most])) : Value{}},
           {"angles", for_programs, stops ? Value::data(joint_values(stop.angles)) : Value{}}});
    }
    return {{"", Paragraphs{"", {assumed}}, "Stops along the motion", true},
            {"stops_along", table}};
  }

  void read_published() {
    read_named_rows(options_.published, "maker's table of stops",
                    {"joint", "category", "time", "angle"}, [this](NamedRow row) {
                      sheet_.published.push_back({row["joint"], row["category"],
                                                  parse_positive_number("time", row["time"]),
                                                  parse_positive_number("angle", row["angle"])});
                    });
  }

  [[nodiscard]] std::vector<BodyRegion> regions() const {
    if (options_.regions.empty()) return body_regions();
    std::vector<BodyRegion> found;
    read_named_rows(
        options_.regions, "table of body regions", {"region", "force", "stiffness", "mass"},
        [&found](NamedRow row) {
          const auto number = [&row](const char* column) {
            return parse_positive_number(column, row[column]);
          };
          found.push_back({row["region"], number("force"), number("stiffness"), number("mass")});
        });
    return found;
  }

  [[nodiscard]] Sections contact_sections() const {
    const double moving = mass_of_links(robot_), by_standard = 0.5 * moving + robot_.payload.mass;
    const double exact = sheet_.effective_mass.value;
    const std::string assumed =
        std::string("The speed at which a free contact reaches the force of a body region. ") +
        (options_.regions.empty() ? "Check the forces against ISO/TS 15066, table A.2. " : "") +
        "An estimate, no certification.";
    Sections found{{"", Paragraphs{"", {assumed}}, "Contact", true}};
    const Fields head{
        {"effective_mass", "largest effective mass found in the direction of motion: {} kg",
         exact > 0.0 ? Value::number(exact) : Value{}},
        {"half_mass",
         std::string(exact > 0.0 ? "; half" : "half") +
             " of the moving mass, with the payload {} kg",
         Value::number(by_standard)},
        {"q", for_programs, Value::data(joint_values(sheet_.effective_mass.q))}};
    FieldTable table;
    for (const BodyRegion& region : regions()) {
      const auto speed = [&region](double mass) {
        return mass > 0.0 ? Value::number(permitted_speed(region, mass)) : Value{};
      };
      table.rows.push_back({{"region", "region", Value::word(in_one_line(region.name))},
                            {"force", "force [N]", Value::number(region.force)},
                            {"speed", "speed [m/s]", speed(exact)},
                            {"speed_by_half_mass", "by half the mass [m/s]", speed(by_standard)}});
    }
    found.push_back({"contact", Sections{{"", head}, {"regions", table}}});
    return found;
  }

  [[nodiscard]] Sections power_sections() const {
    const auto& [from, to, sizing, rms] = *sheet_.cycle;
    const std::string assumed = fmt::format(
        "Power of all motors in the worst cycle found, by size: between two random positions and "
        "back, from rest to rest, at the guaranteed accelerations{}. Copper losses and efficiency "
        "count where the file has them.",
        accelerates() ? "" : " of low speed");
    const Fields head{
        {"peak", "peak {} W", Value::number(sizing.supply.power.value)},
        {"returned", ", returned {} W", Value::number(sizing.supply.returned_power.value)},
        {"rms", "; RMS {} W", Value::number(rms)},
        {"mean", ", mean {} W", Value::number(sizing.supply.mean_power)},
        {"duration", "; cycle of {} s", Value::number(sizing.duration)},
        {"from", for_programs, Value::data(joint_values(from))},
        {"to", for_programs, Value::data(joint_values(to))}};
    FieldTable joints;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      const DriveNeed& drive = sizing.drives[i];
      joints.rows.push_back(
          {{"name", "joint", Value::word(robot_.joints[i].name)},
           {"torque", label("torque", "N·m", "N"), Value::number(drive.torque.value)},
           {"rms", "RMS", Value::number(drive.rms)},
           {"power", "power [W]", Value::number(drive.power.value)},
           {"mean_power", "mean [W]", Value::number(drive.mean_power)}});
    }
    return {{"", Paragraphs{"", {assumed}}, "Power", true},
            {"power", Sections{{"", head}, {"joints", joints}}}};
  }

  /// That of the limits of velocity at which accelerations hold.
  [[nodiscard]] double share() const { return 0.01 * options_.speed_share; }
  /// Tests whether the limits of torque leave any acceleration at these speeds.
  [[nodiscard]] bool accelerates() const {
    return sheet_.uniform && std::ranges::all_of(accelerations(), [](double a) { return a > 0.0; });
  }

  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> found = warnings_;
    std::set<std::string> followers;
    for (const RowLimit& limit : row_limits(robot_)) followers.insert(limited_name(robot_, limit));
    if (!followers.empty()) {
      found.push_back(fmt::format(
          "the sheet leaves out the limits of {}, which follow several joints; what is guaranteed "
          "still holds",
          fmt::join(followers, ", ")));
    }
    if (sheet_.uniform && !accelerates()) {
      found.emplace_back(
          sheet_.uniform->found > 0.0
              ? "with these --boxes no acceleration at these speeds is proven; take more, or lower "
                "--speed-share. No limits of acceleration are written"
              : "at some position the limits of torque leave no acceleration at these speeds; "
                "lower "
                "--speed-share or the payload. No limits of acceleration are written");
    }
    return found;
  }

  /// A limit of acceleration in four digits, no larger than the guaranteed one.
  static std::string stated(double most) { return short_number(outward(most, Bound::lower, 4)); }

  [[nodiscard]] std::vector<Artifact> artifacts() const {
    if (!accelerates()) return {};
    const std::vector<double> most = accelerations();
    std::vector<Artifact> found;
    if (run_.wants("--joint-limits")) {
      std::string text = fmt::format(
          "# Accelerations that hold at all positions, at speeds up to these, by armdyn datasheet "
          "{}\njoint_limits:\n",
          robot_.name);
      for (std::size_t i = 0; i < robot_.dof(); ++i) {
        const Joint& joint = robot_.joints[i];
        text += fmt::format("  {}:\n", yaml_text(joint.name));
        if (joint.limits.velocity) {
          text += fmt::format("    has_velocity_limits: true\n    max_velocity: {}\n",
                              number_text(share() * *joint.limits.velocity));
        }
        text += fmt::format("    has_acceleration_limits: true\n    max_acceleration: {}\n",
                            stated(most[i]));
      }
      found.push_back({"--joint-limits", text});
    }
    if (run_.wants("--limited")) {
      Robot limited = robot_;
      for (std::size_t i = 0; i < robot_.dof(); ++i) {
        Limits& limits = limited.joints[i].limits;
        limits.acceleration = parse_number(stated(most[i]));
        if (limits.velocity) *limits.velocity *= share();
      }
      found.push_back({"--limited", robot_text(limited,
                                               "with accelerations that hold at all positions, at "
                                               "speeds up to these, by armdyn datasheet")});
    }
    return found;
  }

  const DatasheetOptions& options_;
  Run& run_;
  const Robot& robot_;
  LimitedArm loaded_, empty_;
  SearchEffort effort_;
  std::vector<std::string> warnings_;
  Datasheet sheet_{};
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
      "  armdyn datasheet ur5e --payload 2 --speed-share 50 --what accelerations --joint-limits "
      "limits.yaml\n",
      declare, datasheet);
}

}  // namespace armdyn
