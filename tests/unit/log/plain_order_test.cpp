#include "log/columns.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include "support/csv_test_tools.hpp"

namespace armdyn {
namespace {

using Wanted = std::vector<WantedGroup>;

const Wanted of_torque{
    {Quantity::time, Need::optional},           {Quantity::position, Need::required},
    {Quantity::velocity, Need::required},       {Quantity::acceleration, Need::required},
    {Quantity::contact_wrench, Need::optional}, {Quantity::torque, Need::optional}};
const Wanted of_derive{
    {Quantity::time, Need::required},           {Quantity::position, Need::required},
    {Quantity::velocity, Need::optional},       {Quantity::acceleration, Need::optional},
    {Quantity::contact_wrench, Need::optional}, {Quantity::torque, Need::optional}};
const Wanted of_simulate{{Quantity::time, Need::required},
                         {Quantity::torque, Need::required},
                         {Quantity::contact_wrench, Need::optional},
                         {Quantity::position, Need::optional},
                         {Quantity::velocity, Need::optional}};

std::string joined_names(std::size_t columns, std::size_t dof, const Wanted& wanted) {
  Header header;
  header.file = "a.npy";
  header.line = 0;
  header.cells.resize(columns);
  std::string text;
  for (const std::string& name : plain_names(header, revolute_robot(dof), wanted)) {
    text += (text.empty() ? "" : ",") + name;
  }
  return text;
}

TEST(PlainOrder, OfTorqueIsTOrNotThenQQdQddThenTheWrenchOrNot) {
  EXPECT_EQ(joined_names(6, 2, of_torque), "q1,q2,qd1,qd2,qdd1,qdd2");
  EXPECT_EQ(joined_names(7, 2, of_torque), "t,q1,q2,qd1,qd2,qdd1,qdd2");
  EXPECT_EQ(joined_names(12, 2, of_torque), "q1,q2,qd1,qd2,qdd1,qdd2,fx,fy,fz,nx,ny,nz");
  EXPECT_EQ(joined_names(13, 2, of_torque), "t,q1,q2,qd1,qd2,qdd1,qdd2,fx,fy,fz,nx,ny,nz");
}

TEST(PlainOrder, WhereRatesAreDerivedTheyMayBeMissing) {
  EXPECT_EQ(joined_names(2, 1, of_derive), "t,q1");
  EXPECT_EQ(joined_names(3, 1, of_derive), "t,q1,qd1");
  EXPECT_EQ(joined_names(4, 1, of_derive), "t,q1,qd1,qdd1");
  EXPECT_EQ(joined_names(10, 1, of_derive), "t,q1,qd1,qdd1,fx,fy,fz,nx,ny,nz");
}

TEST(PlainOrder, OfSimulateIsTThenTau) {
  EXPECT_EQ(joined_names(3, 2, of_simulate), "t,tau1,tau2");
  EXPECT_EQ(joined_names(9, 2, of_simulate), "t,tau1,tau2,fx,fy,fz,nx,ny,nz");
}

TEST(PlainOrder, NoNumberOfColumnsHasTwoMeanings) {
  for (const Wanted& wanted : {of_torque, of_derive, of_simulate}) {
    for (std::size_t dof = 1; dof <= 12; ++dof) {
      // The message lists the number of columns of each order: none comes twice.
      const std::string message =
          message_of<InputError>([&] { (void)joined_names(1, dof, wanted); });
      std::vector<std::string> counts;
      for (std::size_t at = message.find(" ("); at != message.npos;
           at = message.find(" (", at + 1)) {
        const std::size_t begin = message.rfind(' ', at - 1) + 1;
        counts.push_back(message.substr(begin, at - begin));
      }
      EXPECT_GE(counts.size(), 2U);
      std::sort(counts.begin(), counts.end());
      EXPECT_EQ(std::adjacent_find(counts.begin(), counts.end()), counts.end()) << message;
    }
  }
}

TEST(PlainOrder, OtherCountsAreRefused) {
  EXPECT_EQ(message_of<InputError>([] { (void)joined_names(5, 2, of_simulate); }),
            "a.npy: found an array of 5 columns; for the robot's 2 joints expected 3 (t,tau), 9 "
            "(t,tau,wrench), or a structured dtype with the names of the columns");
}

TEST(PlainOrder, IsWhatReadersKnowWithoutNames) {
  using enum Quantity;
  EXPECT_TRUE(is_plain_order({torque}));
  EXPECT_TRUE(is_plain_order({time, torque}));
  EXPECT_TRUE(is_plain_order({time, position, velocity, acceleration}));
  EXPECT_TRUE(is_plain_order({position, velocity, acceleration, contact_wrench}));
  EXPECT_FALSE(is_plain_order({time, position, velocity, acceleration, torque}));
  EXPECT_FALSE(is_plain_order({time, torque, inertia_part}));
  EXPECT_FALSE(is_plain_order({time, position, velocity, torque, tracking_error}));
}

}  // namespace
}  // namespace armdyn
