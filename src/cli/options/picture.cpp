#include "cli/options/picture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "cli/options/value_text.hpp"
#include "math/each.hpp"
#include "math/rotation.hpp"
#include "model/shown_unit.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

bool is_torque(Measure measure) {
  return measure == Measure::torque || measure == Measure::torque_difference;
}

std::string unit_of(Measure measure, const Joint& joint, bool in_degrees) {
  if (is_torque(measure)) return torque_unit(joint);
  std::string position = in_degrees ? "deg" : position_unit(joint);
  if (measure == Measure::velocity) return position + "/s";
  if (measure == Measure::acceleration) return position + "/s²";
  return position;
}

std::vector<double> limits_of(Measure measure, const Limits& limits) {
  const auto both = [](const std::optional<double>& limit) {
    return limit ? std::vector{-*limit, *limit} : std::vector<double>{};
  };
  if (measure == Measure::torque) return both(limits.torque);
  if (measure == Measure::velocity) return both(limits.velocity);
  if (measure == Measure::acceleration) return both(limits.acceleration);
  if (measure != Measure::position || !limits.position) return {};
  return {limits.position->lower, limits.position->upper};
}

/// The least and the greatest of the values that are there.
Range bounds(const ThinnedSeries& series) {
  std::vector<double> y = series.points().y;
  std::erase_if(y, [](double value) { return std::isnan(value); });
  if (y.empty()) return {};
  const auto [least, greatest] = std::ranges::minmax(y);
  return {least, greatest};
}

double largest(const Range& range) {
  return std::max(-range.lower, range.upper);
}

bool is_zero(const ThinnedSeries& series) {
  return largest(bounds(series)) == 0.0;
}

}  // namespace

JointPicture::JointPicture(const Robot& robot, const PlotOptions& options,
                           std::vector<JointPanel> panels)
    : robot_(robot),
      panels_(std::move(panels)),
      joints_(parse_joints("--plot-joints", options.joints, robot)),
      degrees_(options.degrees || shows_degrees()) {
  for (const JointPanel& panel : panels_) {
    curves_.emplace_back(panel.curves.size(), std::vector<ThinnedSeries>(robot.dof()));
  }
}

void JointPicture::add(std::size_t panel, std::size_t curve, double t,
                       std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) curves_[panel][curve][i].append(t, values[i]);
}

void JointPicture::add(std::size_t panel, std::size_t curve, std::size_t joint,
                       std::span<const double> t, std::span<const double> values) {
  curves_[panel][curve][joint].append(t, values);
}

void JointPicture::add_positions(std::size_t joint, std::span<const double> t,
                                 std::span<const double> q) {
  positions_.resize(robot_.dof());
  positions_[joint].append(t, q);
}

const std::vector<ThinnedSeries>& JointPicture::positions() const {
  const auto shown = std::ranges::find(panels_, Measure::position, &JointPanel::measure);
  if (shown == panels_.end()) return positions_;
  return curves_[static_cast<std::size_t>(shown - panels_.begin())].front();
}

void JointPicture::break_off() {
  for (ThinnedSeries& q : positions_) q.break_off();
  for (auto& panel : curves_) {
    for (std::vector<ThinnedSeries>& joints : panel) {
      for (ThinnedSeries& one : joints) one.break_off();
    }
  }
}

std::vector<std::size_t> JointPicture::idle_joints() const {
  constexpr double noise = 1e-10;
  const std::vector<ThinnedSeries>& q = positions();
  std::vector<std::size_t> idle = where(q.size(), [&](std::size_t i) {
    const Range reached = bounds(q[i]);
    return reached.upper - reached.lower <= noise;
  });
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    if (panels_[p].measure == Measure::position) continue;
    for (const std::vector<ThinnedSeries>& joints : curves_[p]) {
      const std::vector<double> reached =
          each(joints, [](const ThinnedSeries& one) { return largest(bounds(one)); });
      const double beside = std::ranges::max(reached);
      std::erase_if(idle, [&](std::size_t i) {
        return reached[i] > noise * beside || panels_[p].measure == Measure::torque_difference;
      });
    }
  }
  return idle;
}

std::vector<std::size_t> JointPicture::drawn_panels() const {
  return where(panels_.size(), [this](std::size_t p) {
    return panels_[p].measure != Measure::torque || panels_.size() == 1 ||
           !std::ranges::all_of(curves_[p].front(), is_zero);
  });
}

Panel JointPicture::panel(std::size_t p, std::size_t joint) const {
  const JointPanel& wanted = panels_[p];
  const Joint& of = robot_.joints[joint];
  const bool converts = degrees_ && turns(of) && !is_torque(wanted.measure);
  const auto shown = [converts](std::vector<double> values) {
    if (converts) std::ranges::transform(values, values.begin(), degrees);
    return values;
  };
  Panel panel;
  panel.title = of.name;
  panel.y_label = wanted.symbol + std::to_string(joint + 1);
  panel.unit = unit_of(wanted.measure, of, converts);
  panel.limits = shown(limits_of(wanted.measure, of.limits));
  for (std::size_t c = 0; c < wanted.curves.size(); ++c) {
    const ThinnedSeries& series = curves_[p][c][joint];
    const ThinnedSeries::Points points = series.points();
    if (points.x.empty() || (c >= wanted.sure && is_zero(series))) continue;
    panel.curves.push_back({wanted.curves[c], points.x, shown(points.y)});
  }
  return panel;
}

Views JointPicture::views(const Figure& titled) const {
  return {{figure(titled)}, robot_, curves_of(positions())};
}

Figure JointPicture::figure(Figure titled) const {
  std::vector<std::size_t> drawn = joints_, left_out;
  if (joints_.empty()) {
    drawn = in_order(robot_.dof());
    left_out = idle_joints();
    if (left_out == drawn) left_out.clear();
    std::erase_if(drawn, [&](std::size_t i) { return std::ranges::count(left_out, i) > 0; });
  }

  if (!left_out.empty()) {
    const std::string gap = titled.subtitle.empty() ? "" : "; ";
    titled.subtitle += fmt::format("{}at rest and not drawn: {}", gap,
                                   fmt::join(joint_names(robot_, left_out), ", "));
  }
  if (counts_rows_) {
    titled.x_label = "row";
    titled.x_unit = "";
  }
  const std::vector<std::size_t> panels = drawn_panels();
  if (panels.size() > 1) titled.columns = panels.size();
  for (const std::size_t joint : drawn) {
    for (const std::size_t p : panels) titled.panels.push_back(panel(p, joint));
  }
  append(titled.panels, others_);
  return titled;
}

Curve curve_of(std::string label, const ThinnedSeries& series) {
  ThinnedSeries::Points points = series.points();
  return {std::move(label), std::move(points.x), std::move(points.y)};
}

std::vector<Curve> curves_of(const std::vector<ThinnedSeries>& series) {
  return each(series, [](const ThinnedSeries& one) { return curve_of("", one); });
}

Figure titled_figure(const std::string& what, const std::string& input, const Robot& robot,
                     const RobotOptions& options) {
  const std::string file =
      input == "-" ? "standard input" : std::filesystem::path(input).filename().string();
  std::vector<std::string> remarks;
  if (robot.payload.mass > 0.0) {
    remarks.push_back(fmt::format("payload {} kg", short_number(robot.payload.mass)));
  }
  if (const auto& g = options.gravity) {
    remarks.push_back(fmt::format("gravity ({}, {}, {}) m/s²", short_number(g->x),
                                  short_number(g->y), short_number(g->z)));
  }
  const std::vector<std::string> without = names(options.without);
  if (!without.empty()) remarks.push_back(fmt::format("without {}", fmt::join(without, ", ")));
  return {fmt::format("{}: {}{}{}", robot.name, what, file.empty() ? "" : ", ", file),
          fmt::format("{}", fmt::join(remarks, "; ")),
          {}};
}

}  // namespace armdyn
