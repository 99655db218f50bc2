#pragma once

namespace armdyn::testing {

/// Whether the tests, and the program that they run, are built with a sanitizer of memory or threads.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
inline constexpr bool is_sanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace armdyn::testing
