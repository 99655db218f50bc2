#include "cli/check/check.hpp"

#include <fmt/format.h>
#include <armdyn/arm.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/link_frames.hpp"
#include "io/text/number_text.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

struct Segment {
  Vec3 from, to;
};

/// Lines in space under one label, and dimensions beside them.
struct Drawing {
  std::vector<std::pair<std::string, std::vector<Segment>>> lines{
      {"centre of mass", {}}, {"link", {}},          {"x of frame", {}},
      {"y of frame", {}},     {"axis of joint", {}}, {"z of frame", {}}};
  std::vector<std::pair<Segment, std::string>> dimensions;

  void add(std::size_t label, const Vec3& from, const Vec3& to) {
    lines[label].second.push_back({from, to});
  }
  void add_link(const Vec3& from, const Vec3& to, const char* symbol, double length) {
    add(1, from, to);
    if (length == 0.0) return;
    dimensions.emplace_back(Segment{from, to},
                            fmt::format("{} {}", symbol, short_number(std::abs(length))));
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

/// Along the table: from the joint before a along x, then d along z.
Drawing drawing_of(const Robot& robot) {
  const Arm arm = normalise(robot);
  double reach = std::hypot(arm.tool.p.x, arm.tool.p.y, arm.tool.p.z);
  for (const Link& link : arm.links) reach += std::abs(link.a) + std::abs(link.d);
  const double size = reach > 0.0 ? reach / 25.0 : 1.0;

  Drawing drawing;
  Transform T = arm.base;
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const Link& link = arm.links[i];
    const Transform next = T * joint_frame(link, 0.0);
    const Vec3 corner = T * Vec3{link.a, 0.0, 0.0};
    drawing.add_link(T.p, corner, "a", link.a);
    drawing.add_link(corner, next.p, "d", link.d);
    drawing.add(4, next * Vec3{0.0, 0.0, -1.6 * size}, next * Vec3{0.0, 0.0, 1.6 * size});
    drawing.add_frame(next * arm.user_frame[i], size);
    if (link.body.mass > 0.0) drawing.add_cross(next * link.body.com, 0.3 * size);
    T = next;
  }
  const Transform hand = T * arm.tool;
  drawing.add(1, T.p, hand.p);
  drawing.add_frame(hand, 1.5 * size);
  return drawing;
}

/// What is seen of it across two axes of the world.
Panel seen(const Drawing& drawing, const std::string& title, double Vec3::*across,
           double Vec3::*upward, const char* y_label) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  Panel panel{title, y_label, "m", {}, {}, {}, true};
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
    const double shown = std::hypot(half.*across, half.*upward);
    if (shown < 0.3 * std::sqrt(dot(half, half))) continue;  // seen from its end
    panel.notes.push_back({middle.*across, middle.*upward, text});
  }
  return panel;
}

}  // namespace

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

}  // namespace armdyn
