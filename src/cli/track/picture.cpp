#include "cli/track/picture.hpp"

#include "cli/options/picture.hpp"

namespace armdyn {

TrackingError::TrackingError(const Trajectory& desired)
    : desired_(desired),
      q_(desired.dof()),
      qd_(desired.dof()),
      qdd_(desired.dof()),
      e_(desired.dof()) {}

std::span<const double> TrackingError::at(double t, std::span<const double> q) {
  desired_.at(t, q_, qd_, qdd_);
  for (std::size_t i = 0; i < e_.size(); ++i) e_[i] = q_[i] - q[i];
  return e_;
}

TrackPicture::TrackPicture(const Robot& robot, const PlotOptions& options)
    : desired_(robot.dof()),
      picture_(joint_picture(robot, options,
                             {{"q", Measure::position, {"actual", "desired"}, 2},
                              {"e", Measure::position_error, {""}},
                              {"τ", Measure::torque, {""}}})) {}

void TrackPicture::add(const SimulationRow& row, std::span<const double> e) {
  for (std::size_t i = 0; i < e.size(); ++i) desired_[i] = row.q[i] + e[i];
  picture_.add(0, 0, row.t, row.q);
  picture_.add(0, 1, row.t, desired_);
  picture_.add(1, 0, row.t, e);
  picture_.add(2, 0, row.t, row.tau);
}

void TrackPicture::draw(const PictureTitle& title, OutputFile& file) const {
  picture_.draw(title, file);
}

}  // namespace armdyn
