// TensorFlow's files of records and the examples in them: what FRUIT is published as.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// The records of a TFRecord file: each has its length, a checksum of that, its bytes and a checksum of those. Throws Error
// naming `where` and the record's number, from 1: one that is cut, or whose checksums do not fit.
std::vector<std::string_view> tf_records(std::string_view bytes, const std::string& where);

// The lists of bytes in a record that holds a tf.train.Example, by the names of its features; other kinds of features are
// passed over. Throws Error naming `where` on what is no such message.
std::map<std::string, std::vector<std::string>> tf_example_texts(std::string_view record, const std::string& where);

}  // namespace craft
