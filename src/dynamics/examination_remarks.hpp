#pragma once

#include <armdyn/examination.hpp>
#include <armdyn/robot.hpp>

namespace armdyn {

/// Adds to an examination what its numbers give to say: warnings and notes.
void add_remarks(const Robot& robot, Examination& result);

}  // namespace armdyn
