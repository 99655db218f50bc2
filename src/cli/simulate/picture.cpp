#include "cli/simulate/picture.hpp"

#include <armdyn/equations.hpp>

#include "cli/options/picture.hpp"
#include "math/linear_algebra.hpp"

namespace armdyn {

SimulationPicture::SimulationPicture(const Robot& robot, const PlotOptions& options)
    : arm_(normalise(robot)),
      picture_(joint_picture(robot, options,
                             {{"q", Measure::position, {""}},
                              {"qd", Measure::velocity, {""}},
                              {"τ", Measure::torque, {""}}})) {}

void SimulationPicture::add(const SimulationRow& row) {
  picture_.add(0, 0, row.t, row.q);
  picture_.add(1, 0, row.t, row.qd);
  picture_.add(2, 0, row.t, row.tau);
  const Eigen::VectorXd qd = eigen(row.qd);
  const double kinetic = 0.5 * qd.dot(eigen(mass_matrix(arm_, row.q)) * qd);  // (9.6)
  const double potential = potential_energy(arm_, row.q);
  kinetic_.append(row.t, kinetic);
  potential_.append(row.t, potential);
  total_.append(row.t, kinetic + potential);
}

void SimulationPicture::draw(const PictureTitle& title, OutputFile& file) {
  Panel energy{"energy of the arm", "E", "J", {}, {}};
  const auto add_curve = [&](const char* label, const ThinnedSeries& series) {
    const ThinnedSeries::Points points = series.points();
    energy.curves.push_back({label, points.x, points.y});
  };
  add_curve("energy: total", total_);
  add_curve("energy: kinetic", kinetic_);
  add_curve("energy: potential", potential_);
  picture_.add_panel(energy);
  picture_.draw(title, file);
}

}  // namespace armdyn
