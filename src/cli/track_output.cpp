#include "cli/track_output.hpp"

#include "cli/limit_words.hpp"
#include "io/plot.hpp"

namespace armdyn {

namespace {

constexpr std::size_t rows_of_a_block = 256;

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

TrackingError::TrackingError(const Trajectory& desired)
    : desired_(desired), e_(desired.dof()), qd_(desired.dof()), qdd_(desired.dof()) {}

std::span<const double> TrackingError::at(double t, std::span<const double> q) {
  desired_.at(t, e_, qd_, qdd_);
  for (std::size_t i = 0; i < e_.size(); ++i) e_[i] -= q[i];
  return e_;
}

TrackWriter::TrackWriter(OutputFile& output, std::size_t dof) : output_(output), writer_(output) {
  writer_.add(Quantity::time, dof, From::input, 0);
  writer_.add(Quantity::position, dof, From::input, 1);
  writer_.add(Quantity::velocity, dof, From::input, 1 + dof);
  writer_.add(Quantity::torque, dof, From::input, 1 + 2 * dof);
  writer_.add(Quantity::tracking_error, dof, From::input, 1 + 3 * dof);
  block_.resize(1 + 4 * dof, rows_of_a_block);
  block_.rows = 0;
  writer_.append_header(text_);
}

void TrackWriter::add(const SimulationRow& row, std::span<const double> e) {
  std::size_t column = 0;
  const auto put = [&](double value) { block_.columns[column++][block_.rows] = value + 0.0; };
  put(row.t);
  for (const std::span<const double> values : {row.q, row.qd, row.tau, e}) {
    for (const double value : values) put(value);
  }
  if (++block_.rows == rows_of_a_block) flush();
}

void TrackWriter::flush() {
  writer_.append_rows(text_, block_, {});
  block_.rows = 0;
  output_.write(text_);
  text_.clear();
}

void TrackPicture::add(const SimulationRow& row, std::span<const double> e) {
  for (std::size_t i = 0; i < e_.size(); ++i) {
    e_[i].append(row.t, e[i]);
    tau_[i].append(row.t, row.tau[i]);
  }
}

void TrackPicture::draw(const std::string& path) const {
  Figure figure;
  figure.title = robot_.name + ": error (desired − actual) and torque";
  figure.columns = 2;
  for (std::size_t i = 0; i < e_.size(); ++i) {
    const Joint& joint = robot_.joints[i];
    const std::string number = std::to_string(i + 1);
    figure.panels.push_back(panel(joint.name, "e" + number, position_unit(joint), e_[i]));
    figure.panels.push_back(panel(joint.name, "τ" + number, torque_unit(joint), tau_[i]));
    if (joint.limits.torque) {
      figure.panels.back().limits = {{*joint.limits.torque}, {-*joint.limits.torque}};
    }
  }
  write_figure(figure, path);
}

}  // namespace armdyn
