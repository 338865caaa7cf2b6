// GPT-2's alphabet: one printable character for each of the 256 bytes. Inside model/tokenizer/ only.
#pragma once

#include <string>
#include <string_view>

namespace craft {

std::string to_byte_alphabet(std::string_view bytes);
// Appends the bytes that the characters stand for; false, and nothing appended, if one of them is not of the alphabet.
bool append_from_byte_alphabet(std::string& bytes, std::string_view characters);

}  // namespace craft
