// The recursion is written once and read by several scalars. Here a small expression node reads it:
// it folds constants, shares equal subexpressions, and the program that comes out gives the same
// torques as the reading in doubles.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "dynamics/newton_euler.hpp"
#include "support/case_table.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

enum class Op { constant, input, add, subtract, multiply, negate, sine, cosine };

struct Instruction {
  Op op;
  int left, right;
  double value;
};

std::vector<Instruction> program;
std::map<std::tuple<Op, int, int, double>, int> known;

/// A scalar that writes down what is done to it.
struct Node {
  int index;

  Node() : Node(0.0) {}
  Node(double value) : index(emit({Op::constant, 0, 0, value}).index) {}  // NOLINT
  static Node emit(const Instruction& step) {
    const auto [entry, is_new] = known.try_emplace({step.op, step.left, step.right, step.value},
                                                   static_cast<int>(program.size()));
    if (is_new) program.push_back(step);
    return Node(entry->second, 0);
  }
  [[nodiscard]] bool is(double value) const {
    const Instruction& step = program[static_cast<std::size_t>(index)];
    return step.op == Op::constant && step.value == value;
  }

  friend Node operator-(Node a) { return a.is(0.0) ? a : emit({Op::negate, a.index, 0, 0}); }
  friend Node operator+(Node a, Node b) {
    return a.is(0.0) ? b : b.is(0.0) ? a : emit({Op::add, a.index, b.index, 0});
  }
  friend Node operator-(Node a, Node b) {
    return a.is(0.0) ? -b : b.is(0.0) ? a : emit({Op::subtract, a.index, b.index, 0});
  }
  friend Node operator*(Node a, Node b) {
    if (a.is(0.0) || b.is(0.0)) return Node(0.0);
    return a.is(1.0) ? b : b.is(1.0) ? a : emit({Op::multiply, a.index, b.index, 0});
  }

 private:
  Node(int place, int /*tag*/) : index(place) {}
};

struct NodeSinCos {
  Node sin, cos;
};

NodeSinCos sin_cos(Node angle) {
  return {Node::emit({Op::sine, angle.index, 0, 0}), Node::emit({Op::cosine, angle.index, 0, 0})};
}

double evaluate(const Instruction& step, const std::vector<double>& done,
                const std::vector<double>& inputs) {
  const auto a = [&] { return done[static_cast<std::size_t>(step.left)]; };
  const auto b = [&] { return done[static_cast<std::size_t>(step.right)]; };
  switch (step.op) {
    case Op::constant:
      return step.value;
    case Op::input:
      return inputs[static_cast<std::size_t>(step.left)];
    case Op::add:
      return a() + b();
    case Op::subtract:
      return a() - b();
    case Op::multiply:
      return a() * b();
    case Op::negate:
      return -a();
    case Op::sine:
      return std::sin(a());
    case Op::cosine:
      return std::cos(a());
  }
  return NAN;
}

std::vector<double> run(const std::vector<double>& inputs, std::span<const Node> outputs) {
  std::vector<double> done;
  for (const Instruction& step : program) done.push_back(evaluate(step, done, inputs));
  std::vector<double> results;
  for (const Node& node : outputs) results.push_back(done[static_cast<std::size_t>(node.index)]);
  return results;
}

TEST(NewtonEuler, IsReadableByAnExpressionNode) {
  Robot robot = read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot;
  for (Joint& joint : robot.joints) {
    joint.friction = {};
    joint.motor = {};
  }
  const Arm arm = normalize(robot);
  std::vector<Node> inputs;
  for (int i = 0; i < 18; ++i) inputs.push_back(Node::emit({Op::input, i, 0, 0}));
  const std::span<const Node> all(inputs);
  std::vector<LinkState<Node>> links(6);
  std::vector<Node> tau(6);
  newton_euler<Node>(arm, all.subspan(0, 6), all.subspan(6, 6), all.subspan(12, 6), nullptr, links,
                     tau);

  std::vector<double> state(18);
  for (std::size_t i = 0; i < 18; ++i) state[i] = std::sin(1.3 * static_cast<double>(i) + 0.4);
  const std::span<const double> s(state);
  const auto expected = torque(arm, {s.subspan(0, 6), s.subspan(6, 6), s.subspan(12, 6)});
  const auto found = run(state, tau);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-12 * scale_of(expected));

  // Written dense the recursion multiplies 708 times; this arm's zeros leave far fewer.
  const auto products = std::count_if(program.begin(), program.end(),
                                      [](const Instruction& i) { return i.op == Op::multiply; });
  EXPECT_GT(products, 100);
  EXPECT_LT(products, 400);
}

}  // namespace
}  // namespace armdyn::testing
