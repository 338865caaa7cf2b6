// What an Error says, or "" where none was thrown.
#pragma once

#include <string>

#include "core/error.h"

namespace craft::test {

template <class Work>
std::string error_text(Work work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace craft::test
