#include "cli/torque/picture.hpp"

#include <iterator>
#include <numeric>

#include "cli/options/picture.hpp"

namespace armdyn {

namespace {

bool has_measured(const ColumnPlan& plan) {
  return plan.has(Quantity::torque);
}

JointPanel torque_panel(const TorqueOptions& options, const ColumnPlan& plan) {
  JointPanel panel{"τ", Measure::torque, {""}};
  if (has_measured(plan)) {
    panel.curves = {"computed", "measured"};
  } else if (options.terms) {
    panel.curves = {"τ"};
  }
  panel.sure = panel.curves.size();
  for (std::size_t k = 0; options.terms && k < std::size(torque_parts); ++k) {
    panel.curves.emplace_back(*joint_prefix(torque_parts[k]));
  }
  return panel;
}

}  // namespace

TorquePicture::TorquePicture(const Robot& robot, const TorqueOptions& options,
                             const ColumnPlan& plan)
    : dof_(robot.dof()),
      first_part_(has_measured(plan) ? 2 : 1),
      picture_(joint_picture(robot, options.plot, {torque_panel(options, plan)})) {
  if (!plan.has(Quantity::time)) picture_.count_rows();
}

void TorquePicture::add(const TorqueColumns& block, const Columns& parts) {
  std::size_t from = 0;
  for (const std::size_t row : block.breaks) {
    add(block, parts, from, row);
    picture_.break_off();
    from = row;
  }
  add(block, parts, from, block.rows);
  rows_ += block.rows;
}

void TorquePicture::add(const TorqueColumns& block, const Columns& parts, std::size_t from,
                        std::size_t end) {
  std::vector<double> numbers;
  if (block.t.empty()) {
    numbers.resize(block.rows);
    std::iota(numbers.begin(), numbers.end(), static_cast<double>(rows_ + 1));
  }
  const auto stretch = [&](std::span<const double> column) {
    return column.subspan(from, end - from);
  };
  const std::span<const double> t = stretch(block.t.empty() ? numbers : block.t);
  for (std::size_t i = 0; i < dof_; ++i) {
    picture_.add(0, 0, i, t, stretch(block.tau[i]));
    if (!block.measured.empty()) picture_.add(0, 1, i, t, stretch(block.measured[i]));
    for (std::size_t k = 0; k * dof_ < parts.size(); ++k) {
      picture_.add(0, first_part_ + k, i, t, stretch(parts[k * dof_ + i]));
    }
  }
}

void TorquePicture::draw(const PictureTitle& title, OutputFile& file) const {
  picture_.draw(title, file);
}

}  // namespace armdyn
