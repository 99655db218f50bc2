#include "cli/track/picture.hpp"

#include "report/joint_words.hpp"
#include "report/series_panel.hpp"

namespace armdyn {

TrackingError::TrackingError(const Trajectory& desired)
    : desired_(desired), e_(desired.dof()), qd_(desired.dof()), qdd_(desired.dof()) {}

std::span<const double> TrackingError::at(double t, std::span<const double> q) {
  desired_.at(t, e_, qd_, qdd_);
  for (std::size_t i = 0; i < e_.size(); ++i) e_[i] -= q[i];
  return e_;
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
    figure.panels.push_back(series_panel(joint.name, "e" + number, position_unit(joint), e_[i]));
    figure.panels.push_back(series_panel(joint.name, "τ" + number, torque_unit(joint), tau_[i]));
    if (joint.limits.torque) {
      figure.panels.back().limits = {{*joint.limits.torque}, {-*joint.limits.torque}};
    }
  }
  write_figure(figure, path);
}

}  // namespace armdyn
