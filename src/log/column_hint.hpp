#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace armdyn {

/// For a header that is not understood: the value of --columns that would name its columns, as far
/// as their names tell, "t=time,q=Joint{1..6} Pos,qd=Joint{1..6} Vel". Empty without `dof` columns
/// that differ by their number alone, and for a single joint.
[[nodiscard]] std::string columns_hint(const std::vector<std::string>& cells, std::size_t dof);

}  // namespace armdyn
