#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "dynamics/counts.hpp"

// The counts are what the texts do, the formulas are those of docs/derivation.md, section 12.

namespace armdyn {
namespace {

/// n revolute joints without a special number anywhere, but for the tensors if they are principal.
Arm general_arm(std::int64_t n, bool principal_axes = false) {
  const SymMat3 full{0.31, 0.43, 0.57, 0.011, -0.023, 0.037};
  const SymMat3 principal{0.31, 0.43, 0.57, 0.0, 0.0, 0.0};
  Robot robot;
  robot.convention = Convention::modified;
  robot.gravity = {1.1, -2.2, -9.3};
  for (std::int64_t i = 0; i < n; ++i) {
    Joint joint;
    joint.dh = {0.21, 0.7, 0.13, 0.4};
    joint.body = {2.3, {0.05, -0.07, 0.11}, principal_axes ? principal : full};
    robot.joints.push_back(joint);
  }
  return normalize(robot);
}

Operations written(std::int64_t n, Method method) {
  return count(general_arm(n), method).recursion.as_written;
}
Operations with_principal_axes(std::int64_t n, Method method) {
  return count(general_arm(n, true), method).recursion.principal;
}

/// In the papers' frames the joint axis is (0, sin α, cos α), and τ costs a projection on it.
Operations projection(std::int64_t n) {
  return {2 * n, n};
}

std::string formula(const PublishedOperations& operations) {
  return operations.multiplications.text() + ", " + operations.additions.text();
}

class Counts : public ::testing::TestWithParam<std::int64_t> {
 protected:
  const std::int64_t n = GetParam();
};

TEST_P(Counts, NewtonEuler) {
  EXPECT_EQ(written(n, Method::newton_euler), (Operations{122 * n - 24, 100 * n - 24}));
  EXPECT_EQ(written(n, Method::newton_euler) + projection(n),
            (Operations{124 * n - 24, 101 * n - 24}));
}

TEST_P(Counts, NewtonEulerWithPrincipalAxes) {
  EXPECT_EQ(with_principal_axes(n, Method::newton_euler) + projection(n),
            (Operations{112 * n - 24, 89 * n - 24}));
}

TEST_P(Counts, ModifiedNewtonEuler) {
  EXPECT_EQ(written(n, Method::modified_newton_euler), (Operations{104 * n - 33, 94 * n - 33}));
  EXPECT_EQ(written(n, Method::modified_newton_euler) + projection(n),
            (Operations{106 * n - 33, 95 * n - 33}));
}

TEST_P(Counts, ModifiedNewtonEulerWithPrincipalAxes) {
  EXPECT_EQ(with_principal_axes(n, Method::modified_newton_euler) + projection(n),
            (Operations{94 * n - 33, 83 * n - 33}));
}

/// Of one method, as written, term by term.
std::map<std::string_view, Operations> terms(std::int64_t n, Method method) {
  std::map<std::string_view, Operations> found;
  for (const TermCount& term : count_terms(general_arm(n), method)) {
    found[term.term] = term.count.as_written;
  }
  return found;
}
using Terms = std::map<std::string_view, Operations>;

/// By hand from (2.1)-(2.11), and 003's Table 2 with the corrections of docs/derivation.md.
TEST_P(Counts, OfNewtonEulerTermByTerm) {
  EXPECT_EQ(terms(n, Method::newton_euler), (Terms{{"ω_i", {9 * n, 7 * n}},
                                                   {"α_i", {11 * n, 9 * n}},
                                                   {"a_i", {27 * n, 21 * n}},
                                                   {"ā_i", {18 * n, 15 * n}},
                                                   {"F_i", {3 * n, 0}},
                                                   {"N_i", {24 * n, 18 * n}},
                                                   {"f_i", {9 * n - 9, 9 * n - 9}},
                                                   {"n_i", {21 * n - 15, 21 * n - 15}}}));
}

/// (5.1)-(5.7).
TEST_P(Counts, OfTheModifiedFormTermByTerm) {
  Terms expected{{"ω_i", {9 * n, 7 * n}},         {"α_i", {11 * n, 9 * n}},
                 {"A_i", {6 * n, 9 * n}},         {"a_i", {18 * n - 9, 15 * n - 9}},
                 {"F_i", {12 * n, 9 * n}},        {"N_i", {18 * n, 15 * n}},
                 {"f_i", {9 * n - 9, 9 * n - 9}}, {"n_i", {21 * n - 15, 21 * n - 15}}};
  EXPECT_EQ(terms(n, Method::modified_newton_euler), expected);
  for (const TermCount& term : count_terms(general_arm(n), Method::modified_newton_euler)) {
    if (term.term == "N_i") expected["N_i"] = {6 * n, 3 * n};  // 001 Table 4: Tr{A K σ}
    EXPECT_EQ(term.count.principal, expected[term.term]) << term.term;
  }
}

/// Each product of section 2, counted by hand: R_i, R p, R r_c, R I Rᵀ, q̇ z and q̈ z beside the rest.
TEST_P(Counts, OfTheRecursionSeenFromTheBaseTermByTerm) {
  EXPECT_EQ(terms(n, Method::newton_euler_in_base), (Terms{{"R_i", {27 * n, 18 * n}},
                                                           {"ω_i", {3 * n, 3 * n}},
                                                           {"α_i", {9 * n, 9 * n}},
                                                           {"a_i", {27 * n, 21 * n}},
                                                           {"ā_i", {27 * n, 21 * n}},
                                                           {"F_i", {3 * n, 0}},
                                                           {"N_i", {69 * n, 48 * n}},
                                                           {"f_i", {0, 3 * n - 3}},
                                                           {"n_i", {12 * n - 6, 15 * n - 9}},
                                                           {"τ_i", {3 * n, 2 * n}}}));
  EXPECT_EQ(written(n, Method::newton_euler_in_base), (Operations{180 * n - 6, 140 * n - 12}));
}

/// The rows of 001's Table 2 that it counts right, and those of its appendix added up again.
TEST_P(Counts, OfLagrangeTermByTerm) {
  const Terms found = terms(n, Method::lagrange);
  EXPECT_EQ(found.at("T_r^s"), (Operations{32 * n * (n - 1), 24 * n * (n - 1)}));
  EXPECT_EQ(found.at("∂T"), (Operations{32 * n * (n - 1), 24 * n * (n - 1)}));
  EXPECT_EQ(found.at("∂²T"), (Operations{32 * n * (n * n - 1) / 3, 8 * n * (n * n - 1)}));
  EXPECT_EQ(found.at("τ_i"), (Operations{8 * n * n + 8 * n, 8 * n * n + 8 * n}));
}

TEST_P(Counts, OfTheTermsAddUp) {
  for (const Method method : all_methods) {
    Count sum;
    for (const TermCount& term : count_terms(general_arm(n), method)) sum = sum + term.count;
    const Count whole = count(general_arm(n), method).recursion;
    EXPECT_EQ(sum.as_written, whole.as_written);
    EXPECT_EQ(sum.principal, whole.principal);
    EXPECT_EQ(sum.needed, whole.needed);
  }
}

/// The rows of 003's Table 1 that leave no choice.
TEST_P(Counts, OfLagrangesEquationAsPaper003PrintsIt) {
  const std::vector<TermCount> found = count_printed_lagrange_terms(general_arm(n));
  EXPECT_EQ(found.front().count.as_written, (Operations{32 * n * (n - 1), 24 * n * (n - 1)}));
  EXPECT_EQ(found.back().count.as_written, (Operations{n * n * (n + 2), n * n * (n + 1)}));
}

/// 001's appendix, added up again (12.1), and what this text does otherwise.
TEST_P(Counts, Lagrange) {
  const Operations appendix{(27 * n * n * n + 181 * n * n + 26 * n) / 2,
                            (40 * n * n * n + 222 * n * n - 16 * n) / 3};
  const Operations gravity_row{2 * n * n + 2 * n, 2 * n * n + n};
  const Operations starting_from_gravity{0, 16 * n};
  const Operations doubled_factors{0, 5 * (n * n * n - n) / 2};
  const Operations starting_from_zero{0, n};
  EXPECT_EQ(written(n, Method::lagrange) + gravity_row + doubled_factors,
            appendix + starting_from_gravity + starting_from_zero);
  EXPECT_EQ(written(n, Method::lagrange),
            (Operations{(27 * n * n * n + 177 * n * n + 22 * n) / 2,
                        (65 * n * n * n + 432 * n * n + 79 * n) / 6}));
}

TEST_P(Counts, FramesAreTheSameWorkInAllMethods) {
  for (const Method method : all_methods) {
    const MethodCount counted = count(general_arm(n), method);
    EXPECT_EQ(counted.frames.as_written, (Operations{8 * n, 2 * n, 0, n}));
    EXPECT_EQ(counted.sines, n);
  }
}

TEST_P(Counts, StrobingIsAsManyRunsAsItHasUnitInputs) {
  for (const Method method : all_methods) {
    const StrobingCount strobing = count_strobing(general_arm(n), method);
    EXPECT_EQ(strobing.mass_matrix.as_written, n * written(n, method));
    EXPECT_EQ(strobing.velocity_matrices.as_written, n * (n + 1) / 2 * written(n, method));
    EXPECT_LT(strobing.mass_matrix.needed.multiplications,
              strobing.mass_matrix.as_written.multiplications);
    // A step: n + 1 runs, LᵀDL and two triangular systems at each point; 18 and 14 for each state.
    const std::int64_t pairs = n * (n - 1) / 2, triples = pairs * (n - 2) / 3;
    const Operations solution{triples + 4 * pairs, triples + 3 * pairs + n, 2 * n};
    const Operations step =
        4 * ((n + 1) * written(n, method) + solution) + Operations{18 * n, 14 * n};
    EXPECT_EQ(strobing.step.as_written, step);
  }
}

INSTANTIATE_TEST_SUITE_P(Joints, Counts, ::testing::Range<std::int64_t>(1, 13));

TEST(PublishedCounts, AreThePapersNumbersForSixJoints) {
  // At n = 6, by hand: 108·6 − 12 and so on.
  struct Printed {
    Method method;
    std::string_view what;
    Operations six;
  };
  const std::vector<Printed> printed{
      {Method::newton_euler, "Table 1", {636, 591}},
      {Method::newton_euler, "Table 2, with its controller", {690, 621}},
      {Method::newton_euler, "corrected", {720, 582}},
      {Method::modified_newton_euler, "Table 1, principal axes", {513, 504}},
      {Method::modified_newton_euler, "corrected, principal axes", {531, 465}},
      {Method::modified_newton_euler, "corrected, full tensor", {603, 537}},
      {Method::lagrange, "Table 1", {5916, 4840}},
      {Method::lagrange, "Table 1, with its controller", {102740, 78479}},
      {Method::lagrange, "appendix, corrected", {6252, 5512}}};
  ASSERT_EQ(published_counts().size(), printed.size());
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const PublishedCount& formula = published_counts()[i];
    EXPECT_EQ(formula.what, printed[i].what);
    EXPECT_EQ(formula.method, printed[i].method);
    EXPECT_EQ(formula.operations.at(6), printed[i].six) << formula.what;
  }
}

TEST(PublishedTables, AddUpToThePapersTotals) {
  for (const PublishedTable& table : published_tables()) {
    PublishedOperations sum;
    for (const PublishedGroup& group : table.groups) sum = sum + group.sum();
    const bool is_published =
        std::ranges::any_of(published_counts(), [&](const PublishedCount& total) {
          return total.source == table.source && total.method == table.method &&
                 formula(total.operations) == formula(sum);
        });
    EXPECT_TRUE(is_published) << table.source << " " << table.what << ": " << formula(sum);
  }
}

TEST(PublishedTables, HaveThePapersFormulas) {
  const PublishedTable& of_003 = published_tables().back();
  EXPECT_EQ(formula(of_003.groups[3].rows[0].operations),
            "128/3 n⁴ + 128n³ + 256/3 n², 65/2 n⁴ + 195/2 n³ + 65n²");
  EXPECT_EQ((Polynomial{{-4, 1, -1, 0, 3}, 2}.text()), "3/2 n⁴ − 1/2 n² + 1/2 n − 2");
  EXPECT_EQ((Polynomial{{0, 1}, 1}.text()), "n");
  EXPECT_EQ(Polynomial{}.text(), "0");
}

TEST(PublishedTables, NameTermsThatAreCounted) {
  const Arm arm = general_arm(3);
  for (const PublishedTable& table : published_tables()) {
    std::vector<std::string_view> known;
    const auto terms = table.counts_printed_lagrange ? count_printed_lagrange_terms(arm)
                                                     : count_terms(arm, table.method);
    for (const TermCount& term : terms) known.push_back(term.term);
    for (const PublishedGroup& group : table.groups) {
      for (const std::string_view term : group.counted) {
        EXPECT_EQ(std::erase(known, term), 1U) << term;
      }
    }
    EXPECT_TRUE(known.empty()) << table.what;
  }
}

TEST(PublishedCounts, StrobingOfOneJointIsOneEvaluationPerLink) {
  // Table 3 of paper 001: 51 and 49 outward, 57 and 51 inward, per link.
  EXPECT_EQ(published_strobing_of_mass_matrix(1), (Operations{108, 100}));
  EXPECT_EQ(published_strobing_of_mass_matrix(6), (Operations{21 * 108, 21 * 100}));
  EXPECT_EQ(published_strobing_of_velocity_matrices(6),
            (Operations{91 * 51 + 21 * 57, 91 * 49 + 21 * 51}));
}

TEST(CountsOfAnArm, AreSmallerAtRightAngles) {
  Arm arm = general_arm(6);
  for (Link& link : arm.links) {
    link.cos_alpha = 0.0;
    link.sin_alpha = 1.0;
    link.d = 0.0;
    link.cos_theta = 1.0;
    link.sin_theta = 0.0;
  }
  for (const Method method : all_methods) {
    const Count general = count(general_arm(6), method).recursion;
    const Count special = count(arm, method).recursion;
    EXPECT_EQ(special.as_written, general.as_written);
    EXPECT_LT(special.needed.multiplications, general.needed.multiplications);
  }
}

TEST(CountsOfAnArm, HaveNoSineForAPrismaticJoint) {
  Robot robot;
  robot.joints.resize(2);
  robot.joints[1].type = JointType::prismatic;
  EXPECT_EQ(count(normalize(robot), Method::newton_euler).sines, 1);
  EXPECT_EQ(count(normalize(robot), Method::lagrange).sines, 1);
}

}  // namespace
}  // namespace armdyn
