#include "program/staged_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "math/columns.hpp"

namespace armdyn {
namespace {

using Random = std::mt19937_64;
constexpr std::size_t outputs = 4, sets = 3;

/// Formulas by chance from the inputs of a graph; the last ones are wanted.
std::vector<Expression> formulas_by_chance(Random& random, Graph& graph, std::size_t inputs) {
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  std::vector<Expression> found;
  for (std::size_t i = 0; i < inputs; ++i) found.push_back(graph.input(i));
  for (int k = 0; k < 5; ++k) found.emplace_back(number(random));
  for (std::size_t k = 5 + random() % 120; k > 0; --k) {
    const Expression a = found[random() % found.size()], b = found[random() % found.size()];
    switch (random() % 8) {
      case 0:
      case 1:
        found.push_back(a + b);
        break;
      case 2:
        found.push_back(a - b);
        break;
      case 3:
        found.push_back(sin_cos(a).sin);
        found.push_back(sin_cos(a).cos);
        break;
      case 4:
        found.push_back(a / (b * b + Expression(1.0)));
        break;
      case 5:
        found.push_back(-a);
        break;
      default:
        found.push_back(a * b);
    }
  }
  return {found.end() - outputs, found.end()};
}

Columns columns_by_chance(Random& random, std::size_t count, std::size_t rows) {
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  Columns columns(count, std::vector<double>(rows));
  for (std::vector<double>& column : columns) {
    for (double& x : column) x = number(random);
  }
  return columns;
}

TEST(StagedProgram, GivesWhatOneProgramGivesForEachSetOfNumbers) {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    Graph graph;
    const std::size_t of_motion = 1 + random() % 4, of_arm = 1 + random() % 5;
    const std::vector<Expression> wanted = formulas_by_chance(random, graph, of_motion + of_arm);
    Evaluator one(std::make_shared<const Program>(assemble(graph, of_motion + of_arm, wanted)));
    StagedProgram staged(graph, of_motion, wanted);
    const std::size_t rows = round % 2 == 0 ? staged.block_size() : 3;
    const Columns motion = columns_by_chance(random, of_motion, rows),
                  numbers = columns_by_chance(random, of_arm, sets);
    staged.set_numbers(places(numbers), sets);
    staged.set_columns(places(motion), rows);
    for (std::size_t set = 0; set < sets; ++set) {
      Columns all = motion;
      for (const std::vector<double>& of_sets : numbers) all.emplace_back(rows, of_sets[set]);
      Columns found(outputs, std::vector<double>(rows)), expected = found;
      staged.run(set, places(found));
      one(places(std::as_const(all)), places(expected), rows);
      EXPECT_EQ(found, expected) << "graph " << round << ", set " << set;
    }
  }
}

}  // namespace
}  // namespace armdyn
