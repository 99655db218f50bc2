#include "cli/inspect/motion_terms.hpp"

#include <fmt/format.h>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "cli/inspect/inspection.hpp"
#include "dynamics/states.hpp"
#include "log/motion_row.hpp"
#include "math/finite.hpp"
#include "math/rigid.hpp"

namespace armdyn {

/// The terms of one row, each computed when it is asked for.
class RowTerms {
 public:
  RowTerms(const Arm& arm, const ColumnPlan& plan, const std::vector<TaskRow>& rows)
      : arm_(arm),
        dynamics_(arm),
        rows_(rows.empty() ? all_task_rows() : rows),
        has_qd_(plan.has(Quantity::velocity)),
        row_(motion_columns(plan), arm.dof()),
        others_(arm.dof()),
        V_(arm.dof()),
        G_(arm.dof()),
        tau_(arm.dof()) {}

  void read(const Table& table, std::size_t row) {
    row_.read(table, row);
    J_.reset();
    equations_.reset();
    has_parts_ = false;
  }

  [[nodiscard]] bool has_qd() const { return has_qd_; }
  [[nodiscard]] Transform hand() const { return pose(arm_, q()).hand; }
  [[nodiscard]] std::vector<double> twist() { return armdyn::hand_twist(J(), qd()); }
  [[nodiscard]] Matrix M() const { return mass_matrix(arm_, q()); }
  [[nodiscard]] Matrix Jdot() const { return jacobian_rate(arm_, q(), qd()); }
  [[nodiscard]] Dexterity dexterity() { return armdyn::dexterity(select_rows(J(), rows_)); }
  [[nodiscard]] double potential() const { return potential_energy(arm_, q()); }

  const Matrix& J() {
    if (!J_) J_ = jacobian(arm_, q());
    return *J_;
  }
  const Equations& equations() {
    if (!equations_) equations_ = armdyn::equations(arm_, q(), qd());
    return *equations_;
  }
  const std::vector<double>& V() { return parts(), V_; }
  const std::vector<double>& G() { return parts(), G_; }
  const std::vector<double>& tau() {
    dynamics_.torque(row_.state(), row_.hand(), tau_);
    return tau_;
  }

 private:
  [[nodiscard]] std::span<const double> q() const { return row_.state().q; }
  [[nodiscard]] std::span<const double> qd() const { return row_.state().qd; }

  void parts() {
    if (has_parts_) return;
    dynamics_.terms(row_.state(), {}, {others_, V_, G_, others_, others_, others_});
    has_parts_ = true;
  }

  const Arm& arm_;
  InverseDynamics dynamics_;
  std::vector<TaskRow> rows_;
  bool has_qd_;
  MotionRow row_;
  std::vector<double> others_, V_, G_, tau_;
  std::optional<Matrix> J_;
  std::optional<Equations> equations_;
  bool has_parts_ = false;
};

namespace {

using Row = std::vector<double>;

/// The condition of a singular J, which no number is: an empty cell.
constexpr double singular = std::numeric_limits<double>::quiet_NaN();

void add(Row& row, std::span<const double> values) {
  row.insert(row.end(), values.begin(), values.end());
}
void add(Row& row, const Matrix& A) {
  add(row, A.entries());
}
void add(Row& row, const Vec3& v) {
  add(row, coordinates(v));
}

void add_hand(RowTerms& at, Row& row) {
  const Transform hand = at.hand();
  add(row, hand.p);
  if (at.has_qd()) add(row, at.twist());
  for (const Vec3& axes : {hand.R.row_x, hand.R.row_y, hand.R.row_z}) add(row, axes);
}

void require_finite(const Row& row, std::size_t begin, const char* part) {
  if (all_finite(std::span(row).subspan(begin))) return;
  throw NotFinite(
      fmt::format("{} is not a finite number: q or qd is too large, or the model", part));
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
       [](RowTerms& at, Row& row) {
         const double condition = at.dexterity().condition;
         row.push_back(std::isfinite(condition) ? condition : singular);
       }},
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
    : parts_(std::move(parts)), terms_(std::make_unique<RowTerms>(arm, plan, rows)) {}
TermWorker::TermWorker(TermWorker&&) noexcept = default;
TermWorker::~TermWorker() = default;

void TermWorker::operator()(const Table& input, TermBlock& result) {
  Row row;
  for (std::size_t i = 0; i < input.rows; ++i) {
    row.clear();
    call_for(i, [&](std::size_t) {
      terms_->read(input, i);
      for (const MotionPart* const part : parts_) {
        const std::size_t begin = row.size();
        part->append(*terms_, row);
        if (part->columns.front() != Quantity::condition) require_finite(row, begin, part->key);
      }
    });
    if (i == 0) resize(result.columns, row.size(), input.rows);
    for (std::size_t k = 0; k < row.size(); ++k) result.columns[k][i] = row[k];
  }
}

}  // namespace armdyn
