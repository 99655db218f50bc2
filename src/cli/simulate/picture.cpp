#include "cli/simulate/picture.hpp"

#include "report/joint_words.hpp"
#include "report/series_panel.hpp"

namespace armdyn {

void SimulationPicture::add(const SimulationRow& row) {
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_[i].append(row.t, row.q[i]);
    qd_[i].append(row.t, row.qd[i]);
  }
}

void SimulationPicture::draw(const std::string& path) const {
  Figure figure;
  figure.title = robot_.name + ": simulated motion";
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const Joint& joint = robot_.joints[i];
    const std::string number = std::to_string(i + 1);
    const std::string unit = position_unit(joint);
    figure.panels.push_back(series_panel(joint.name, "q" + number, unit, q_[i]));
    if (joint.limits.position) {
      figure.panels.back().limits.push_back({joint.limits.position->lower});
      figure.panels.back().limits.push_back({joint.limits.position->upper});
    }
    figure.panels.push_back(series_panel(joint.name, "qd" + number, unit + "/s", qd_[i]));
    if (joint.limits.velocity) {
      figure.panels.back().limits.push_back({*joint.limits.velocity});
      figure.panels.back().limits.push_back({-*joint.limits.velocity});
    }
  }
  write_figure(figure, path);
}

}  // namespace armdyn
