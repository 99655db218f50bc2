#include "cli/simulate_output.hpp"

#include "cli/limit_words.hpp"
#include "io/plot.hpp"

namespace armdyn {

namespace {

constexpr std::size_t rows_of_a_block = 256;

std::size_t column_count(std::size_t dof, bool with_wrench) {
  return 1 + 4 * dof + (with_wrench ? 6 : 0);
}

Panel panel(const std::string& joint, const std::string& label, const std::string& unit,
            const ThinnedSeries& series) {
  Panel panel;
  panel.title = joint;
  panel.y_label = label;
  panel.unit = unit;
  const ThinnedSeries::Points points = series.points();
  panel.curves.push_back({"", points.x, points.y});
  return panel;
}

}  // namespace

MotionWriter::MotionWriter(OutputFile& output, std::size_t dof, bool with_wrench)
    : output_(output), with_wrench_(with_wrench), writer_(output) {
  writer_.add(Quantity::time, dof, From::input, 0);
  writer_.add(Quantity::position, dof, From::input, 1);
  writer_.add(Quantity::velocity, dof, From::input, 1 + dof);
  writer_.add(Quantity::acceleration, dof, From::input, 1 + 2 * dof);
  writer_.add(Quantity::torque, dof, From::input, 1 + 3 * dof);
  if (with_wrench) writer_.add(Quantity::hand_wrench, dof, From::input, 1 + 4 * dof);
  block_.resize(column_count(dof, with_wrench), rows_of_a_block);
  block_.rows = 0;
  writer_.append_header(text_);
}

void MotionWriter::add(const SimulationRow& row) {
  std::size_t column = 0;
  const auto put = [&](double value) { block_.columns[column++][block_.rows] = value + 0.0; };
  put(row.t);
  for (const std::span<const double> values : {row.q, row.qd, row.qdd, row.tau}) {
    for (const double value : values) put(value);
  }
  if (with_wrench_) {
    const auto& [f, n] = row.hand;
    for (const double value : {f.x, f.y, f.z, n.x, n.y, n.z}) put(value);
  }
  if (++block_.rows == rows_of_a_block) flush();
}

void MotionWriter::flush() {
  writer_.append_rows(text_, block_, {});
  block_.rows = 0;
  output_.write(text_);
  text_.clear();
}

void MotionPicture::add(const SimulationRow& row) {
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_[i].append(row.t, row.q[i]);
    qd_[i].append(row.t, row.qd[i]);
  }
}

void MotionPicture::draw(const std::string& path) const {
  Figure figure;
  figure.title = robot_.name + ": simulated motion";
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const Joint& joint = robot_.joints[i];
    const std::string number = std::to_string(i + 1);
    const std::string unit = position_unit(joint);
    figure.panels.push_back(panel(joint.name, "q" + number, unit, q_[i]));
    if (joint.limits.position) {
      figure.panels.back().limits.push_back({joint.limits.position->lower});
      figure.panels.back().limits.push_back({joint.limits.position->upper});
    }
    figure.panels.push_back(panel(joint.name, "qd" + number, unit + "/s", qd_[i]));
    if (joint.limits.velocity) {
      figure.panels.back().limits.push_back({*joint.limits.velocity});
      figure.panels.back().limits.push_back({-*joint.limits.velocity});
    }
  }
  write_figure(figure, path);
}

}  // namespace armdyn
