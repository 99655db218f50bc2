#include "io/table/table.hpp"

namespace armdyn {

std::string place_text(const Header& header) {
  return header.line == 0 ? header.file : header.file + ":" + std::to_string(header.line);
}

}  // namespace armdyn
