#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/program.hpp"

namespace armdyn::testing {

/// Runs armdyn simulate in a folder of the test's own.
class SimulateVerb : public ::testing::Test {
 protected:
  Outcome run(const std::string& arguments) const {
    return shell.run("$armdyn simulate " + arguments);
  }
  void expect_refusal(const std::string& arguments, int exit_code,
                      const std::string& message) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments;
    EXPECT_EQ(outcome.err, message) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
  }

  Shell shell;
};

}  // namespace armdyn::testing
