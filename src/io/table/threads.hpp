#pragma once

#include <functional>

namespace armdyn {

/// The cores that this process may run on.
[[nodiscard]] unsigned usable_cores();

/// Does `work`, which throws nothing, in so many threads at once, this one among them; in fewer
/// where the system gives no more. Returns when all have ended.
void in_threads(unsigned threads, const std::function<void()>& work);

}  // namespace armdyn
