#include "cli/options/verb_syntax.hpp"

namespace armdyn {

void VerbSyntax::required_argument(std::string_view name, std::string& value,
                                   std::string_view help) {
  items_.push_back({std::string(name), "", std::string(help), &value, true});
}

void VerbSyntax::argument(std::string_view name, std::string& value, std::string_view help) {
  items_.push_back({std::string(name), "", std::string(help), &value});
}

void VerbSyntax::option(std::string_view name, std::string_view placeholder, std::string& value,
                        std::string_view help) {
  items_.push_back({std::string(name), std::string(placeholder), std::string(help), &value});
}

void VerbSyntax::flag(std::string_view name, bool& value, std::string_view help) {
  items_.push_back({std::string(name), "", std::string(help), &value});
}

}  // namespace armdyn
