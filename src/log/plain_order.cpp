#include "log/plain_order.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace armdyn {
namespace {

using Groups = std::vector<Quantity>;

/// What a plain array holds between t and the hand wrench, from the shortest to the whole.
std::vector<Groups> bodies(const std::vector<WantedGroup>& wanted) {
  std::vector<Groups> bodies;
  Groups groups;
  for (const WantedGroup& group : wanted) {
    const bool is_derived =
        group.quantity == Quantity::velocity || group.quantity == Quantity::acceleration;
    const bool continues = is_derived && !groups.empty() && groups.front() == Quantity::position;
    const bool is_needed = group.need == Need::required && group.quantity != Quantity::time;
    if (!is_needed && !continues) continue;
    if (!is_needed) bodies.push_back(groups);
    groups.push_back(group.quantity);
  }
  bodies.push_back(groups);
  return bodies;
}

const WantedGroup* find(const std::vector<WantedGroup>& wanted, Quantity quantity) {
  const auto found = std::ranges::find(wanted, quantity, &WantedGroup::quantity);
  return found == wanted.end() ? nullptr : &*found;
}

std::vector<Groups> orders(const std::vector<WantedGroup>& wanted) {
  std::vector<Groups> orders, with_wrench;
  const std::vector<Groups> all = bodies(wanted);
  const WantedGroup* const time = find(wanted, Quantity::time);
  const bool takes_wrench = find(wanted, Quantity::hand_wrench) != nullptr;
  for (const Groups& body : all) {
    for (const bool timed : {false, true}) {
      if (timed ? time == nullptr : time != nullptr && time->need == Need::required) continue;
      Groups order = body;
      if (timed) order.insert(order.begin(), Quantity::time);
      orders.push_back(order);
      if (!takes_wrench || body != all.back()) continue;
      order.push_back(Quantity::hand_wrench);
      with_wrench.push_back(order);
    }
  }
  orders.insert(orders.end(), with_wrench.begin(), with_wrench.end());
  return orders;
}

std::vector<std::string> names_of(const Groups& order, std::size_t dof) {
  std::vector<std::string> names;
  for (const Quantity quantity : order) {
    const std::vector<std::string> group = column_names(quantity, dof);
    names.insert(names.end(), group.begin(), group.end());
  }
  return names;
}

std::string order_text(const Groups& order) {
  std::string text;
  for (const Quantity quantity : order) {
    const std::string first = column_names(quantity, 1).front();
    const bool is_wrench = quantity == Quantity::hand_wrench;
    text += text.empty() ? "" : ",";
    text += is_wrench ? "wrench" : first.substr(0, first.find('1'));
  }
  return text;
}

}  // namespace

std::vector<std::string> plain_names(const Header& header, const Robot& robot,
                                     const std::vector<WantedGroup>& wanted) {
  std::string expected;
  for (const Groups& order : orders(wanted)) {
    std::vector<std::string> names = names_of(order, robot.dof());
    if (names.size() == header.cells.size()) return names;
    expected += expected.empty() ? "" : ", ";
    expected += std::to_string(names.size()) + " (" + order_text(order) + ")";
  }
  throw InputError(header.file + ": found an array of " + std::to_string(header.cells.size()) +
                   (header.cells.size() == 1 ? " column" : " columns") + "; for the robot's " +
                   std::to_string(robot.dof()) +
                   (robot.dof() == 1 ? " joint expected " : " joints expected ") + expected +
                   ", or a structured dtype with the names of the columns");
}

bool is_plain_order(const std::vector<Quantity>& groups) {
  const Groups q_qd_qdd{Quantity::position, Quantity::velocity, Quantity::acceleration};
  Groups left = groups;
  if (!left.empty() && left.front() == Quantity::time) left.erase(left.begin());
  if (left == Groups{Quantity::torque}) return true;
  if (left.size() == 4 && left.back() == Quantity::hand_wrench) left.pop_back();
  return left == q_qd_qdd;
}

}  // namespace armdyn
