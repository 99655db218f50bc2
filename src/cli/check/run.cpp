// armdyn check: validates a robot model.

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/check/check.hpp"
#include "cli/options/named_files.hpp"
#include "cli/options/robot_formats.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/link_frames.hpp"
#include "log/side_by_side.hpp"
#include "math/hypotenuse.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
#include "model/proximal_form.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

void declare(OptionList& list, CheckOptions& options) {
  declare_robot(list, options.robot);
  list.flag("--strict", options.strict, "exit 1 on warnings too");
  list.option("--frame", "X,Y,Z[,R,P,Y]", options.frame, not_empty,
              "add inertia tensors about a frame in {i}, m, rad")
      .special();
  list.option("--line", "X,Y,Z,UX,UY,UZ", options.line, not_empty,
              "add moments of inertia about a line in {i}, m")
      .special();
  list.option("--against", "ROBOT", options.against, not_empty,
              "list the differences from another description of the arm");
  list.file("--plot", "FILE", options.plot,
            "plot the arm in two views (.svg, .png or .pdf; needs gnuplot)");
  list.check([&list, &options] {
    for (const char* const option : {"--frame", "--line", "--against", "--plot", "--set", "--base",
                                     "--tip", "--gravity", "--payload", "--without"}) {
      refuse_if(list.is_given(option) && is_bag(options.robot.robot),
                "check: {} needs a robot, not a bag; leave it out", option);
    }
  });
  declare_output(list, options.output);
}

CheckReport examine_file(const std::string& path, const CheckOptions& options) {
  CheckReport report;
  if (!options.frame.empty()) {
    report.frame = placed(parse_placement("--frame", options.frame).placement);
  }
  if (!options.line.empty()) report.line = parse_line("--line", options.line);
  static_cast<RobotFileReport&>(report) = examined_file(path, options.robot.reading, report.blanks);
  report.file = path == "-" ? "standard input" : path;
  if (!report.robot) return report;
  append(report.findings, lists_in_degrees({{"--frame", options.frame}}, *report.robot));

  std::optional<RobotFile> other;
  if (!options.against.empty()) {
    // --base and --tip choose in the URDF of the two, in ROBOT of two URDFs.
    RobotFileOptions reading;
    if (report.of_parameters) reading = options.robot.reading;
    reading.set.clear();
    other = read_robot_file(find_robot(options.against), reading);
  }
  const bool has_urdf = !report.of_parameters || (other && !other->of_parameters);
  require_use(options.robot.reading, report.written, has_urdf, report.file);
  edit(*report.robot, options.robot, report.findings);
  refuse_many_joints("check", *report.robot, 100);
  report.examination = examine(*report.robot);
  if (other) {
    edit(other->robot, options.robot);
    report.difference = difference(*report.robot, other->robot);
  }
  for (Finding finding : report.examination.warnings) {
    report.locate(finding);
    report.findings.push_back(std::move(finding));
  }
  return report;
}

std::size_t CheckReport::count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(findings, severity, &Finding::severity));
}

namespace {

struct Segment {
  Vec3 from, to;
};

/// Lines in space under one label, and dimensions beside them.
struct Drawing {
  std::vector<std::pair<std::string, std::vector<Segment>>> lines{
      {"center of mass", {}}, {"link", {}},          {"x of frame", {}},
      {"y of frame", {}},     {"axis of joint", {}}, {"z of frame", {}}};
  std::vector<std::pair<Segment, std::string>> dimensions;

  void add(std::size_t label, const Vec3& from, const Vec3& to) {
    lines[label].second.push_back({from, to});
  }
  void add_link(const Vec3& from, const Vec3& to, const char* symbol, double length) {
    add(1, from, to);
    if (length == 0.0) return;
    dimensions.emplace_back(Segment{from, to}, fmt::format("{} {:.5g}", symbol, length));
  }
  void add_frame(const Transform& T, double length) {
    add(2, T.p, T * Vec3{length, 0.0, 0.0});
    add(3, T.p, T * Vec3{0.0, length, 0.0});
    add(5, T.p, T * Vec3{0.0, 0.0, length});
  }
  void add_cross(const Vec3& p, double size) {
    for (const Vec3& way : {Vec3{size, 0.0, 0.0}, Vec3{0.0, size, 0.0}, Vec3{0.0, 0.0, size}}) {
      add(0, p - way, p + way);
    }
  }
};

double reach_of(const Arm& arm) {
  double reach = std::hypot(arm.tool.p.x, arm.tool.p.y, arm.tool.p.z);
  for (const Link& link : arm.links) reach += std::abs(link.a) + std::abs(link.d);
  return reach;
}

/// Draws the links along the table: from the joint before, a along x and then d along z. `last_a` is
/// that of the last row. What joint i's row adds where it does not move is a frame's origin.
void draw(const Arm& arm, std::span<const double> q, double last_a, bool has_tool,
          const auto& moves, double size, Drawing& drawing) {
  Transform T = arm.base;
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const Link& link = arm.links[i];
    const Transform next = T * joint_frame(link, q[i]);
    const Vec3 corner = T * Vec3{link.a, 0.0, 0.0};
    drawing.add_link(T.p, corner, "a", link.a);
    drawing.add_link(corner, next.p, "d", link.d);
    if (moves(i)) {
      drawing.add(4, next * Vec3{0.0, 0.0, -1.6 * size}, next * Vec3{0.0, 0.0, 1.6 * size});
      drawing.add_frame(next * arm.user_frame[i], size);
    }
    if (link.body.mass > 0.0) drawing.add_cross(next * link.body.com, 0.3 * size);
    T = next;
  }
  const bool is_standard = arm.convention == Convention::standard;
  const Transform tcp = T * arm.tool, last = T * arm.user_frame.back();
  if (is_standard) drawing.add_link(T.p, last.p, "a", last_a);
  if (!has_tool) return;
  drawing.add(1, is_standard ? last.p : T.p, tcp.p);
  drawing.add_frame(tcp, 1.5 * size);
}

Drawing drawing_of(const Robot& robot) {
  const Arm arm = normalize(robot);
  const std::vector<double> zero(arm.dof());
  double reach = arm.is_serial() ? reach_of(arm) : 0.0;
  for (const Chain& chain : arm.chains) reach = std::max(reach, reach_of(chain.arm));
  const double size = reach > 0.0 ? reach / 25.0 : 1.0;
  Drawing drawing;
  if (arm.is_serial()) {
    const auto always = [](std::size_t) { return true; };
    draw(arm, zero, robot.joints.back().dh.a, true, always, size, drawing);
  }
  for (const Chain& chain : arm.chains) {
    const auto moves = [&chain](std::size_t i) { return !chain.rows[i].joints.empty(); };
    draw(chain.arm, joint_positions<double>(chain.rows, zero),
         joint_at(robot, chain.joints.back()).dh.a, &chain == &arm.chains.front(), moves, size,
         drawing);
  }
  return drawing;
}

/// A view of it across two axes of the world.
Panel seen(const Drawing& drawing, const std::string& title, double Vec3::*across,
           double Vec3::*upward, const char* y_label) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  Panel panel{title, y_label, "m", {}, {}, {}, true, "x", "m"};
  for (const auto& [label, segments] : drawing.lines) {
    Curve curve{label, {}, {}};
    for (const auto& [from, to] : segments) {
      curve.x.insert(curve.x.end(), {from.*across, to.*across, to.*across});
      curve.y.insert(curve.y.end(), {from.*upward, to.*upward, gap});
    }
    panel.curves.push_back(std::move(curve));
  }
  for (const auto& [line, text] : drawing.dimensions) {
    const Vec3 middle = scaled(line.from + line.to, 0.5), half = line.to - middle;
    const double shown = hypotenuse(half.*across, half.*upward);
    if (shown < 0.3 * std::sqrt(dot(half, half))) continue;  // seen from its end
    panel.notes.push_back({middle.*across, middle.*upward, text});
  }
  return panel;
}

/// The arm at q = 0 in two views, in axes of the world: links along the table's a and d with their
/// lengths, axes of joints, frames of the table and the tool, centers of mass.
Figure arm_figure(const Robot& robot) {
  const Drawing drawing = drawing_of(robot);
  return {robot.name + ": the arm at q = 0",
          "dimensions of the table in m; a along x, then d along z",
          {seen(drawing, "from the front", &Vec3::x, &Vec3::z, "z"),
           seen(drawing, "from above", &Vec3::x, &Vec3::y, "y")},
          "x",
          "m",
          1};
}

/// Lists the topics of a bag, and what they are read as.
Answer check_bag(const CheckOptions& options) {
  const std::string& path = options.robot.robot;
  const BagContent content = survey_bag(path);
  FieldTable topics;
  std::uint64_t messages = 0;
  for (const BagTopic& topic : content.topics) {
    messages += topic.messages;
    const std::string rows(rows_of(topic));
    topics.rows.push_back({{"name", "topic", Value::word(in_one_line(topic.name))},
                           {"type", "type", Value::word(in_one_line(topic.type))},
                           {"encoding", "encoding", Value::word(in_one_line(topic.encoding))},
                           {"messages", "messages", Value::count(topic.messages)},
                           {"rate", "rate [Hz]", Value::number(topic.rate())},
                           {"rows", "read as", rows.empty() ? Value{} : Value::word(rows)}});
  }
  Answer answer;
  answer.document.add("bag", Json(path));
  answer.document.add(fmt::format("{}: {}, {}", in_one_line(path),
                                  counted(topics.rows.size(), "topic"),
                                  counted(messages, "message")));
  answer.document.add("topics", topics);
  answer.document.warnings = content.remarks;
  if (options.strict && !content.remarks.empty()) answer.ending = Ending::no;
  return answer;
}

Answer check_model(const CheckOptions& options, Run& run) {
  if (is_bag(options.robot.robot)) return check_bag(options);
  const std::string path = find_robot(options.robot.robot);
  const auto unread = unread_file_warning(options.robot.robot);
  if (unread) run.warn({*unread});
  const CheckReport report = examine_file(path, options);
  Answer answer{check_answer(report, options)};
  if (unread) answer.document.model_warnings = {*unread};
  if (report.robot && run.wants("--plot") && !run.draw({{arm_figure(*report.robot)}})) {
    throw Interrupted();
  }
  const bool warned = report.count(Severity::warning) > 0;
  if (!report.robot || (options.strict && warned)) answer.ending = Ending::no;
  return answer;
}

}  // namespace

Verb check_verb() {
  return verb<CheckOptions>("check", "Validate a robot model",
                            "  armdyn check puma560\n"
                            "  armdyn check ur5e --strict --quiet\n"
                            "  armdyn check ur5e --plot arm.svg --report arm.html\n"
                            "  armdyn check puma560 --without rotors --json\n"
                            "  armdyn check puma560 --frame \"0.2,0,0,0,0,90 deg\"\n"
                            "  armdyn convert ur10e -o ur10e.urdf\n"
                            "  armdyn check ur10e --against ur10e.urdf\n",
                            declare, check_model);
}

}  // namespace armdyn
