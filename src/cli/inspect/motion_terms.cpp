#include "cli/inspect/motion_terms.hpp"

#include <fmt/format.h>
#include <armdyn/dynamics.hpp>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "cli/inspect/inspection.hpp"

namespace armdyn {

/// The terms of one row, each computed when it is asked for.
class RowTerms {
 public:
  RowTerms(const Arm& arm, const ColumnPlan& plan, const std::vector<TaskRow>& rows)
      : arm_(arm),
        dynamics_(arm),
        rows_(rows.empty() ? all_task_rows() : rows),
        q_first_(*plan.first(Quantity::position)),
        qd_first_(plan.first(Quantity::velocity)),
        qdd_first_(plan.first(Quantity::acceleration)),
        wrench_first_(plan.first(Quantity::hand_wrench)),
        q_(arm.dof()),
        qd_(arm.dof()),
        qdd_(arm.dof()),
        others_(arm.dof()),
        V_(arm.dof()),
        G_(arm.dof()),
        tau_(arm.dof()) {}

  void read(const Table& table, std::size_t row) {
    const auto read = [&](std::optional<std::size_t> first, std::vector<double>& values) {
      for (std::size_t i = 0; first && i < values.size(); ++i) {
        values[i] = table.columns[*first + i][row];
      }
    };
    read(q_first_, q_);
    read(qd_first_, qd_);
    read(qdd_first_, qdd_);
    const auto wrench = [&](std::size_t k) { return table.columns[*wrench_first_ + k][row]; };
    if (wrench_first_) {
      hand_ = {{wrench(0), wrench(1), wrench(2)}, {wrench(3), wrench(4), wrench(5)}};
    }
    J_.reset();
    equations_.reset();
    has_parts_ = false;
  }

  [[nodiscard]] bool has_qd() const { return qd_first_.has_value(); }
  [[nodiscard]] Transform hand() const { return pose(arm_, q_).hand; }
  [[nodiscard]] std::vector<double> twist() { return armdyn::hand_twist(J(), qd_); }
  [[nodiscard]] Matrix M() const { return mass_matrix(arm_, q_); }
  [[nodiscard]] Matrix Jdot() const { return jacobian_rate(arm_, q_, qd_); }
  [[nodiscard]] Dexterity dexterity() { return armdyn::dexterity(select_rows(J(), rows_)); }
  [[nodiscard]] double potential() const { return potential_energy(arm_, q_); }

  const Matrix& J() {
    if (!J_) J_ = jacobian(arm_, q_);
    return *J_;
  }
  const Equations& equations() {
    if (!equations_) equations_ = armdyn::equations(arm_, q_, qd_);
    return *equations_;
  }
  const std::vector<double>& V() { return parts(), V_; }
  const std::vector<double>& G() { return parts(), G_; }
  const std::vector<double>& tau() {
    dynamics_.torque({q_, qd_, qdd_}, hand_, tau_);
    return tau_;
  }

 private:
  void parts() {
    if (has_parts_) return;
    dynamics_.terms({q_, qd_, qdd_}, {}, {others_, V_, G_, others_, others_, others_});
    has_parts_ = true;
  }

  const Arm& arm_;
  InverseDynamics dynamics_;
  std::vector<TaskRow> rows_;
  std::size_t q_first_;
  std::optional<std::size_t> qd_first_, qdd_first_, wrench_first_;
  std::vector<double> q_, qd_, qdd_, others_, V_, G_, tau_;
  Wrench hand_;
  std::optional<Matrix> J_;
  std::optional<Equations> equations_;
  bool has_parts_ = false;
};

namespace {

using Row = std::vector<double>;

void add(Row& row, std::span<const double> values) {
  row.insert(row.end(), values.begin(), values.end());
}
void add(Row& row, const Matrix& A) {
  add(row, A.entries());
}
void add(Row& row, const Vec3& v) {
  row.insert(row.end(), {v.x, v.y, v.z});
}

void add_hand(RowTerms& at, Row& row) {
  const Transform hand = at.hand();
  add(row, hand.p);
  if (at.has_qd()) add(row, at.twist());
  for (const Vec3& axes : {hand.R.row_x, hand.R.row_y, hand.R.row_z}) add(row, axes);
}

void require_finite(const Table& input, std::size_t i, const Row& row, std::size_t begin) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (std::all_of(row.begin() + static_cast<std::ptrdiff_t>(begin), row.end(), finite)) return;
  const std::string place = input.lines.empty() ? fmt::format("row {}", input.first_row + i + 1)
                                                : fmt::format("line {}", input.lines[i]);
  throw NumericsError(fmt::format(
      "{}: the terms are too large for a double at this state; check q, qd and qdd", place));
}

}  // namespace

const std::vector<MotionPart>& motion_parts() {
  using enum Quantity;
  static const std::vector<MotionPart> parts{
      {"T", {hand_place, hand_twist, hand_axes}, false, false, add_hand},
      {"J", {jacobian}, false, false, [](RowTerms& at, Row& row) { add(row, at.J()); }},
      {"Jdot", {jacobian_rate}, true, false, [](RowTerms& at, Row& row) { add(row, at.Jdot()); }},
      {"manipulability",
       {manipulability},
       false,
       false,
       [](RowTerms& at, Row& row) { row.push_back(at.dexterity().manipulability); }},
      {"condition",
       {condition},
       false,
       false,
       [](RowTerms& at, Row& row) { row.push_back(at.dexterity().condition); }},
      {"M", {mass_matrix}, false, false, [](RowTerms& at, Row& row) { add(row, at.M()); }},
      {"M_links",
       {links_mass_matrix},
       false,
       false,
       [](RowTerms& at, Row& row) { add(row, at.equations().M_links); }},
      {"V", {velocity_torque}, true, false, [](RowTerms& at, Row& row) { add(row, at.V()); }},
      {"G", {gravity_torque}, false, false, [](RowTerms& at, Row& row) { add(row, at.G()); }},
      {"C",
       {coriolis_matrix},
       true,
       false,
       [](RowTerms& at, Row& row) { add(row, at.equations().C); }},
      {"kinetic",
       {kinetic_energy},
       true,
       false,
       [](RowTerms& at, Row& row) { row.push_back(at.equations().kinetic); }},
      {"potential",
       {potential_energy},
       false,
       false,
       [](RowTerms& at, Row& row) { row.push_back(at.potential()); }},
      {"momentum",
       {momentum},
       true,
       false,
       [](RowTerms& at, Row& row) { add(row, at.equations().momentum); }},
      {"tau", {torque}, true, true, [](RowTerms& at, Row& row) { add(row, at.tau()); }}};
  return parts;
}

std::vector<Quantity> part_columns(const MotionPart& part, const ColumnPlan& plan) {
  std::vector<Quantity> columns = part.columns;
  if (!plan.has(Quantity::velocity)) std::erase(columns, Quantity::hand_twist);
  return columns;
}

TermWorker::TermWorker(const Arm& arm, const ColumnPlan& plan, std::vector<const MotionPart*> parts,
                       const std::vector<TaskRow>& rows)
    : plan_(plan), parts_(std::move(parts)), terms_(std::make_unique<RowTerms>(arm, plan, rows)) {}
TermWorker::TermWorker(TermWorker&&) noexcept = default;
TermWorker::~TermWorker() = default;

void TermWorker::operator()(const Table& input, TermBlock& result) {
  Row row;
  for (std::size_t i = 0; i < input.rows; ++i) {
    terms_->read(input, i);
    row.clear();
    for (const MotionPart* const part : parts_) {
      const std::size_t begin = row.size();
      part->append(*terms_, row);
      if (part->columns.front() != Quantity::condition) require_finite(input, i, row, begin);
    }
    if (i == 0) resize(result.columns, row.size(), input.rows);
    for (std::size_t k = 0; k < row.size(); ++k) result.columns[k][i] = row[k];
  }
}

}  // namespace armdyn
