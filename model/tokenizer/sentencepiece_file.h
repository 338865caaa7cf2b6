// What the bytes of a sentencepiece model must be before its library may see them. Inside model/tokenizer/ only.
#pragma once

#include <string>
#include <string_view>

namespace craft {

// The library trusts its files: some that are damaged make it read beyond its tables or end the process. Throws Error naming
// `where` unless the bytes are a model (a protobuf message) with pieces that are UTF-8, not empty and each there once,
// scores that are finite, one unknown piece, and a table of replacements that stays within itself.
void check_sentencepiece_model(std::string_view bytes, const std::string& where);

}  // namespace craft
