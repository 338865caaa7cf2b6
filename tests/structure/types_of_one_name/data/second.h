#pragma once

namespace craft {

class Row {};

}  // namespace craft
