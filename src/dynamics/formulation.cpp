#include "dynamics/formulation.hpp"

#include <algorithm>
#include <iterator>

#include "dynamics/formulation_table.hpp"

namespace armdyn {

static_assert(std::equal(std::begin(all_methods), std::end(all_methods),
                         formulations<double>.begin(), formulations<double>.end(),
                         [](Method method, const FormulationRow<double>& row) {
                           return row.method == method;
                         }),
              "each method has its row in the table of formulations");

std::string_view name(Method method) {
  return row_of<double>(method).name;
}

Formulation<double> formulation(const Arm& arm, Method method) {
  return row_of<double>(method).read(arm);
}

}  // namespace armdyn
