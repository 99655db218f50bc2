#include "program/program.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

#include "math/sin_cos.hpp"

namespace armdyn::testing {
namespace {

using Columns = std::vector<std::vector<double>>;

Columns run(const Program& program, const Columns& inputs, std::size_t rows, InstructionSet set,
            std::size_t first = 0) {
  Evaluator evaluate(std::make_shared<const Program>(program), set);
  Columns results(program.outputs, std::vector<double>(rows, NAN));
  std::vector<const double*> in;
  std::vector<double*> out;
  for (const std::vector<double>& column : inputs) in.push_back(column.data() + first);
  for (std::vector<double>& column : results) out.push_back(column.data());
  evaluate(in, out, rows);
  return results;
}

const std::size_t largest_block =
    block_size(all_instruction_sets[std::size(all_instruction_sets) - 1]);

std::vector<InstructionSet> sets_of_this_machine() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : all_instruction_sets) {
    if (is_supported(set)) sets.push_back(set);
  }
  return sets;
}

Columns random_columns(std::size_t count, std::size_t rows, double magnitude = 3.0) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-magnitude, magnitude);
  Columns columns(count, std::vector<double>(rows));
  for (std::vector<double>& column : columns) {
    for (double& value : column) value = number(random);
  }
  return columns;
}

void expect_same_bits(const std::vector<double>& found, const std::vector<double>& expected,
                      std::string_view what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t row = 0; row < found.size(); ++row) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(found[row]), std::bit_cast<std::uint64_t>(expected[row]))
        << what << ", row " << row << ": " << found[row] << " and " << expected[row];
  }
}

/// One formula of x, y, z and the same in doubles: one for each kind of step.
struct Case {
  const char* name;
  Expression (*formula)(Expression x, Expression y, Expression z);
  double (*expected)(double x, double y, double z);
};
#define ARMDYN_CASE(text)                                                \
  Case {                                                                 \
#text, [](Expression x, Expression y, Expression z) -> Expression {    \
      (void)x, (void)y, (void)z;                                           \
      return text;                                                         \
    },                                                                     \
        [](double x, double y, double z) -> double {                       \
          (void)x, (void)y, (void)z;                                       \
          return text;                                                     \
        } \
  }

const Case cases[] = {
    ARMDYN_CASE(x),
    ARMDYN_CASE(-x),
    ARMDYN_CASE(2.5 + 0.0 * z),
    ARMDYN_CASE(x* y),
    ARMDYN_CASE(2.5 * x),
    ARMDYN_CASE(x + y),
    ARMDYN_CASE(x - y),
    ARMDYN_CASE(2.5 + x),
    ARMDYN_CASE(x - 2.5),
    ARMDYN_CASE(2.5 - x),
    ARMDYN_CASE(x* y + z),
    ARMDYN_CASE(x* y - z),
    ARMDYN_CASE(z - x * y),
    ARMDYN_CASE(x* y + y * z),
    ARMDYN_CASE(x* y - y * z),
    ARMDYN_CASE(2.5 * x + 3.5 * y),
    ARMDYN_CASE(2.5 * x - 3.5 * y),
    ARMDYN_CASE((x + y) * z),
    ARMDYN_CASE((x + y) * 2.5),
    ARMDYN_CASE(x - (y + z)),
    ARMDYN_CASE(x* y - (y + z)),
    ARMDYN_CASE(2.5 * x - (y + z)),
    ARMDYN_CASE(2.5 - (y + z) * x),
    ARMDYN_CASE((x + y) * (y - z)),
    ARMDYN_CASE((x * y + z) - (x * z + y)),
    ARMDYN_CASE((x * x) * (x * x)),
    ARMDYN_CASE(x / y),
    ARMDYN_CASE((x + z) / y),
    ARMDYN_CASE(x / (y + z)),
    ARMDYN_CASE((x + z) / (y + z)),
    ARMDYN_CASE(2.5 / x),
    ARMDYN_CASE(2.5 / (x + y)),
    ARMDYN_CASE((x + y) / 3.0),
    ARMDYN_CASE(sin_cos(x).sin),
    ARMDYN_CASE(sin_cos(x + y).cos* z),
    ARMDYN_CASE(sin_cos(-x).sin - sin_cos(x).cos),
    // One product in many sums, which is stored; a sum used twice.
    ARMDYN_CASE(((x * y + z) * (x * y - z)) * ((x * y + 2.5) * (x * y - 3.5)) * (x * y)),
    ARMDYN_CASE((x + y) * ((x + y) + z)),
};

TEST(Evaluator, DoesEachOperationAsDoublesDo) {
  const std::size_t rows = 3 * largest_block + 5;
  const Columns in = random_columns(3, rows);
  for (const Case& c : cases) {
    Graph graph;
    const Expression formula = c.formula(graph.input(0), graph.input(1), graph.input(2));
    const Program program = assemble(graph, 3, std::span(&formula, 1));
    for (const InstructionSet set : sets_of_this_machine()) {
      const Columns found = run(program, in, rows, set);
      for (std::size_t row = 0; row < rows; ++row) {
        ASSERT_EQ(found[0][row], c.expected(in[0][row], in[1][row], in[2][row]))
            << c.name << " on " << name(set) << ", row " << row;
      }
    }
  }
}

/// A graph of random operations, and the program for some of its formulas.
Program random_program(std::uint64_t seed, std::vector<Expression>& outputs, Graph& graph) {
  std::mt19937_64 random(seed);
  std::vector<Expression> formulas = {graph.input(0), graph.input(1), graph.input(2), 0.5, -1.0};
  const auto any = [&] { return formulas[random() % formulas.size()]; };
  for (int i = 0; i < 200; ++i) {
    const Expression a = any(), b = any();
    switch (random() % 5) {
      case 0:
        formulas.push_back(a + b);
        break;
      case 1:
        formulas.push_back(a - b);
        break;
      case 2:
        formulas.push_back(a * b);
        break;
      case 3:
        formulas.push_back(sin_cos(a).sin);
        break;
      default:
        formulas.push_back(a / (2.0 + sin_cos(b).cos));
    }
  }
  for (int i = 0; i < 10; ++i) outputs.push_back(any());
  return assemble(graph, 3, outputs);
}

double value_of(const Graph& graph, std::uint32_t index, const std::vector<double>& inputs) {
  std::vector<double> values;
  for (const Formula& f : graph.formulas()) {
    const auto left = [&] { return values[f.left]; };
    const auto right = [&] { return values[f.right]; };
    switch (f.operation) {
      case Operation::constant:
        values.push_back(f.value);
        break;
      case Operation::input:
        values.push_back(inputs[f.left]);
        break;
      case Operation::add:
        values.push_back(left() + right());
        break;
      case Operation::subtract:
        values.push_back(left() - right());
        break;
      case Operation::multiply:
        values.push_back(left() * right());
        break;
      case Operation::divide:
        values.push_back(left() / right());
        break;
      case Operation::sine:
        values.push_back(sin_cos(left()).sin);
        break;
      case Operation::cosine:
        values.push_back(sin_cos(left()).cos);
        break;
      case Operation::exponential:
      case Operation::sign:
        throw std::logic_error("no program has these");
    }
  }
  return values[index];
}

TEST(Evaluator, RunsRandomProgramsAsTheirGraphsSay) {
  const std::size_t rows = 7;
  const Columns in = random_columns(3, rows);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Graph graph;
    std::vector<Expression> outputs;
    const Program program = random_program(seed, outputs, graph);
    const Columns found = run(program, in, rows, InstructionSet::baseline);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      for (std::size_t row = 0; row < rows; ++row) {
        double expected = outputs[k].known();
        if (!outputs[k].is_known()) {
          expected = value_of(graph, outputs[k].index(), {in[0][row], in[1][row], in[2][row]});
          if (outputs[k].is_negative()) expected = -expected;
        }
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(found[k][row])) << seed;
        } else {
          EXPECT_EQ(found[k][row], expected) << "seed " << seed << ", output " << k;
        }
      }
    }
  }
}

TEST(Evaluator, GivesTheSameBitsOnEveryInstructionSetAndInBlocksOfAnySize) {
  const std::size_t rows = 2 * largest_block + 37;
  const Columns in = random_columns(3, rows, 1e6);  // some angles beyond the straight-line formula
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Graph graph;
    std::vector<Expression> outputs;
    const Program program = random_program(seed, outputs, graph);
    const Columns expected = run(program, in, rows, InstructionSet::baseline);
    for (const InstructionSet set : sets_of_this_machine()) {
      const Columns found = run(program, in, rows, set);
      for (std::size_t k = 0; k < found.size(); ++k) {
        expect_same_bits(found[k], expected[k], name(set));
      }
      for (const std::size_t size : {1U, 2U, 15U, 16U, 31U, 64U, 100U}) {
        std::vector<std::vector<double>> joined(program.outputs);
        for (std::size_t first = 0; first < rows; first += size) {
          const Columns part = run(program, in, std::min(size, rows - first), set, first);
          for (std::size_t k = 0; k < part.size(); ++k) {
            joined[k].insert(joined[k].end(), part[k].begin(), part[k].end());
          }
        }
        for (std::size_t k = 0; k < joined.size(); ++k) {
          expect_same_bits(joined[k], expected[k], name(set));
        }
      }
    }
  }
}

TEST(Evaluator, SinesAndCosinesHaveTheBitsOfTheSingleCall) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> angles = {0.0,    -0.0,    0x1p18,   -0x1p18,   std::nextafter(0x1p18, 0.0),
                                1e22,   -1e300,  infinity, -infinity, NAN,
                                5e-324, -1e-310, M_PI / 2, M_PI,      -3 * M_PI / 4};
  for (const double magnitude : {1e-3, 1.0, 10.0, 1e3, 3e5, 1e9}) {
    const Columns more = random_columns(1, 5000, magnitude);
    angles.insert(angles.end(), more[0].begin(), more[0].end());
  }
  Graph graph;
  const auto [sine, cosine] = sin_cos(graph.input(0));
  const Expression both[] = {sine, cosine};
  const Program program = assemble(graph, 1, both);
  for (const InstructionSet set : sets_of_this_machine()) {
    const Columns found = run(program, {angles}, angles.size(), set);
    for (std::size_t row = 0; row < angles.size(); ++row) {
      const SinCos expected = sin_cos(angles[row]);
      ASSERT_EQ(std::bit_cast<std::uint64_t>(found[0][row]),
                std::bit_cast<std::uint64_t>(expected.sin))
          << "sin " << angles[row] << " on " << name(set);
      ASSERT_EQ(std::bit_cast<std::uint64_t>(found[1][row]),
                std::bit_cast<std::uint64_t>(expected.cos))
          << "cos " << angles[row] << " on " << name(set);
    }
  }
}

TEST(Evaluator, TakesTheInstructionSetThatTheEnvironmentNames) {
  ASSERT_EQ(setenv("ARMDYN_SIMD", std::string(name(InstructionSet::baseline)).c_str(), 1), 0);
  EXPECT_EQ(chosen_instruction_set(), InstructionSet::baseline);
  ASSERT_EQ(setenv("ARMDYN_SIMD", "mmx", 1), 0);
  std::string message;
  try {
    static_cast<void>(chosen_instruction_set());
  } catch (const Error& error) {
    message = error.what();
  }
  ASSERT_EQ(unsetenv("ARMDYN_SIMD"), 0);
  std::string have;
  for (const InstructionSet set : sets_of_this_machine()) {
    have += (have.empty() ? "" : ", ") + std::string(name(set));
  }
  EXPECT_EQ(message, "ARMDYN_SIMD: found 'mmx', this machine has " + have +
                         "; name one of them or unset it");
  EXPECT_EQ(chosen_instruction_set(), sets_of_this_machine().back());
}

}  // namespace
}  // namespace armdyn::testing
