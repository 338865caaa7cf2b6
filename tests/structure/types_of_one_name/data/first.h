#pragma once

namespace craft {

struct Row {
    int number = 0;
};

}  // namespace craft
