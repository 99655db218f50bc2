#include "text/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {
namespace {

constexpr std::array<std::string_view, 7> keys{"a",      "alpha",   "d",       "theta",
                                               "limits", "inertia", "friction"};

std::optional<std::string> nearest(std::string_view word) {
  return nearest_name(word, keys);
}

TEST(NearestName, ASlipIsForgiven) {
  EXPECT_EQ(nearest("alpa"), "alpha");    // dropped
  EXPECT_EQ(nearest("alphaa"), "alpha");  // added
  EXPECT_EQ(nearest("thata"), "theta");   // changed
  EXPECT_EQ(nearest("intertia"), "inertia");
  EXPECT_EQ(nearest("firction"), "friction");  // swapped
}

TEST(NearestName, ABeginningOfFourLettersIsEnough) {
  constexpr std::array<std::string_view, 3> verbs{"track", "trajectory", "tracker"};
  EXPECT_EQ(nearest_name("traj", verbs), "trajectory");
  EXPECT_EQ(nearest_name("trajec", verbs), "trajectory");
  EXPECT_EQ(nearest_name("trak", verbs), "track");
}

TEST(NearestName, TheLastWordOfOneNameIsEnough) {
  const std::vector<std::string_view> of_motor{"rotor_inertia", "gear_ratio", "peak_torque",
                                               "continuous_torque"};
  EXPECT_EQ(nearest_name("inertia", of_motor), "rotor_inertia");
  EXPECT_EQ(nearest_name("ratio", of_motor), "gear_ratio");
  EXPECT_EQ(nearest_name("torque", of_motor), std::nullopt);  // two have it
  EXPECT_EQ(nearest_name("tio", of_motor), std::nullopt);
}

TEST(NearestName, TwoSwappedLettersAreOneSlip) {
  constexpr std::array<std::string_view, 3> names{"qd", "tau", "frames"};
  EXPECT_EQ(nearest_name("dq", names), "qd");
  EXPECT_EQ(nearest_name("atu", names), "tau");
  EXPECT_EQ(nearest_name("tua", names), "tau");
  EXPECT_EQ(nearest_name("rfamse", names), "frames");
  EXPECT_EQ(nearest_name("uat", names), std::nullopt);
}

TEST(NearestName, TwoSlipsInALongerWordAreForgiven) {
  EXPECT_EQ(nearest("alfa"), "alpha");
  EXPECT_EQ(nearest("limmitt"), "limits");
}

TEST(NearestName, CaseIsNoSlip) {
  EXPECT_EQ(nearest("ALPHA"), "alpha");
  EXPECT_EQ(nearest("D"), "d");
}

TEST(NearestName, OtherWordsHaveNoNearestName) {
  EXPECT_EQ(nearest("b"), std::nullopt);
  EXPECT_EQ(nearest(""), std::nullopt);
  EXPECT_EQ(nearest("mass"), std::nullopt);
  EXPECT_EQ(nearest("gravity"), std::nullopt);
  EXPECT_EQ(nearest(std::string(1'000'000, 'x')), std::nullopt);
}

TEST(NearestName, TheFirstOfEquallyNearNamesIsTaken) {
  constexpr std::array<std::string_view, 2> names{"qd1", "qd2"};
  EXPECT_EQ(nearest_name("qd3", names), "qd1");
}

TEST(NearestName, WithoutCandidatesThereIsNone) {
  EXPECT_EQ(nearest_name("alpha", {}), std::nullopt);
}

}  // namespace
}  // namespace armdyn
