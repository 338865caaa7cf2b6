#include "model/files/pickled_tensors.h"

#include <bit>
#include <limits>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

const std::map<std::string, std::string>& storage_dtypes() {
    static const std::map<std::string, std::string> known = {
        {"FloatStorage", "F32"}, {"HalfStorage", "F16"}, {"BFloat16Storage", "BF16"}, {"DoubleStorage", "F64"},
        {"LongStorage", "I64"},  {"IntStorage", "I32"},  {"ShortStorage", "I16"},     {"CharStorage", "I8"},
        {"ByteStorage", "U8"},   {"BoolStorage", "BOOL"}};
    return known;
}

enum class Kind { none, boolean, integer, real, text, sequence, dictionary, global, storage, tensor };

// A value of the pickle. Others are named by their numbers among all values, so that circles do no harm.
struct Value {
    Kind kind = Kind::none;
    int64_t number = 0;              // of an integer or a boolean
    std::string text = {};           // of a global "module name"
    std::vector<size_t> items = {};  // of a sequence; of a dictionary keys and values in turn
    PickledTensor tensor = {};       // of a storage its key, dtype and size
};

class Unpickler {
public:
    Unpickler(std::string_view bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

    std::map<std::string, PickledTensor> tensors() {
        while (step()) {}
        if (stack_.size() != 1 || top().kind != Kind::dictionary) fail("a dictionary of tensors", "something else");
        std::map<std::string, PickledTensor> found;
        const std::vector<size_t>& items = top().items;
        for (size_t i = 0; i + 1 < items.size(); i += 2) {
            const Value &key = values_[items[i]], &value = values_[items[i + 1]];
            if (key.kind != Kind::text) fail("names of tensors that are texts", "another one");
            if (value.kind != Kind::tensor)
                fail("a tensor called '" + shortened(one_line(key.text), 60) + "'", "something else");
            found[key.text] = value.tensor;
        }
        return found;
    }

private:
    [[noreturn]] void fail(const std::string& expected, const std::string& got) const {
        throw Error(where_ + ": byte " + std::to_string(opcode_at_), expected, got,
                    "only dictionaries of tensors are read, and nothing in a file is run: save the model with safetensors");
    }

    // Bytes.
    std::string_view take(uint64_t count) {
        if (count > bytes_.size() - at_) fail("more bytes", "the end");
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += count;
        return taken;
    }
    uint64_t number(int count) {
        const std::string_view taken = take(static_cast<uint64_t>(count));
        uint64_t value = 0;
        for (int i = 0; i < count; ++i)
            value |= static_cast<uint64_t>(static_cast<unsigned char>(taken[static_cast<size_t>(i)])) << (8 * i);
        return value;
    }
    std::string line() {
        const size_t end = bytes_.find('\n', at_);
        if (end == std::string_view::npos) fail("a line", "the end");
        const std::string text(bytes_.substr(at_, end - at_));
        at_ = end + 1;
        return text;
    }
    std::string text(uint64_t count) {
        std::string taken(take(count));
        if (invalid_utf8_at(taken) != std::string::npos) fail("a text in UTF-8", "other bytes");
        return taken;
    }
    // Two's complement of up to eight bytes.
    int64_t long_number(uint64_t count) {
        if (count > 8) fail("an integer of at most eight bytes", std::to_string(count));
        uint64_t value = number(static_cast<int>(count));
        if (count > 0 && count < 8 && (value >> (8 * count - 1)) != 0) value |= ~uint64_t{0} << (8 * count);
        return static_cast<int64_t>(value);
    }

    // The stack.
    void push(Value value) {
        values_.push_back(std::move(value));
        stack_.push_back(values_.size() - 1);
    }
    void push_integer(int64_t value) { push({.kind = Kind::integer, .number = value}); }
    const Value& top() const { return values_[stack_.back()]; }
    size_t pop() {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("a value on the stack", "none");
        const size_t popped = stack_.back();
        stack_.pop_back();
        return popped;
    }
    std::vector<size_t> pop_to_mark() {
        if (marks_.empty()) fail("a mark on the stack", "none");
        const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<size_t> items(begin, stack_.end());
        stack_.erase(begin, stack_.end());
        marks_.pop_back();
        return items;
    }
    // The container that items are added to stays on the stack.
    Value& container(Kind kind) {
        const size_t floor = marks_.empty() ? 0 : marks_.back();
        if (stack_.size() <= floor) fail("a container on the stack", "none");
        Value& value = values_[stack_.back()];
        if (value.kind != kind) fail(kind == Kind::dictionary ? "a dictionary" : "a list", "something else");
        return value;
    }
    void push_sequence(std::vector<size_t> items) { push({.kind = Kind::sequence, .items = std::move(items)}); }
    void push_last(size_t count) {
        std::vector<size_t> items(count);
        for (size_t i = count; i-- > 0;) items[i] = pop();
        push_sequence(std::move(items));
    }
    void set_items(const std::vector<size_t>& items) {
        if (items.size() % 2 != 0) fail("keys with their values", "a key alone");
        Value& dictionary = container(Kind::dictionary);
        dictionary.items.insert(dictionary.items.end(), items.begin(), items.end());
    }
    void append(const std::vector<size_t>& items) {
        Value& list = container(Kind::sequence);
        list.items.insert(list.items.end(), items.begin(), items.end());
    }
    void keep(uint64_t place) {
        if (stack_.empty()) fail("a value to keep", "none");
        memo_[place] = stack_.back();
    }
    void recall(uint64_t place) {
        const auto found = memo_.find(place);
        if (found == memo_.end()) fail("a value that was kept", "none");
        stack_.push_back(found->second);
    }

    // What a pickle may name, and what becomes of it.
    void push_global(const std::string& module, const std::string& name) {
        const bool is_storage = module == "torch" && storage_dtypes().contains(name);
        const bool is_known = (module == "collections" && name == "OrderedDict") ||
                              (module == "torch._utils" &&
                               (name == "_rebuild_tensor_v2" || name == "_rebuild_tensor" || name == "_rebuild_parameter"));
        if (!is_storage && !is_known)
            fail("what a dictionary of tensors is made of", "'" + shortened(one_line(module + "." + name), 80) + "'");
        push({.kind = Kind::global, .text = name});
    }
    const Value& item(const Value& sequence, size_t place, Kind kind) const {
        if (sequence.kind != Kind::sequence || place >= sequence.items.size() || values_[sequence.items[place]].kind != kind)
            fail("a tensor's parts", "others");
        return values_[sequence.items[place]];
    }
    // ('storage', its type, its key, its device, its size).
    void push_storage() {
        constexpr size_t kLongestKey = 64;
        const Value& id = values_[pop()];
        const std::string& type = item(id, 1, Kind::global).text;
        const std::string& key = item(id, 2, Kind::text).text;
        if (item(id, 0, Kind::text).text != "storage" || !storage_dtypes().contains(type) || key.size() > kLongestKey)
            fail("a storage", "something else");
        Value storage{.kind = Kind::storage};
        storage.tensor.dtype = storage_dtypes().at(type);
        storage.tensor.storage = key;
        storage.tensor.storage_size = item(id, 4, Kind::integer).number;
        if (storage.tensor.storage_size < 0) fail("the size of a storage", "a number below 0");
        push(std::move(storage));
    }
    std::vector<int64_t> numbers(const Value& sequence) const {
        constexpr size_t kMostDimensions = 64;  // as LibTorch
        if (sequence.items.size() > kMostDimensions) fail("at most 64 dimensions", std::to_string(sequence.items.size()));
        std::vector<int64_t> all;
        for (size_t i = 0; i < sequence.items.size(); ++i) all.push_back(item(sequence, i, Kind::integer).number);
        return all;
    }
    // (storage, offset, shape, strides, ...).
    void push_tensor(const Value& arguments) {
        Value made{.kind = Kind::tensor, .tensor = item(arguments, 0, Kind::storage).tensor};
        PickledTensor& tensor = made.tensor;
        tensor.offset = item(arguments, 1, Kind::integer).number;
        tensor.shape = numbers(item(arguments, 2, Kind::sequence));
        tensor.strides = numbers(item(arguments, 3, Kind::sequence));
        check_inside(tensor);
        push(std::move(made));
    }
    void check_inside(const PickledTensor& tensor) const {
        constexpr int64_t kLargest = int64_t{1} << 62;
        if (tensor.shape.size() != tensor.strides.size()) fail("a stride of each dimension", "another number of them");
        if (tensor.offset < 0 || tensor.offset > tensor.storage_size) fail("a tensor inside its storage", "one outside");
        int64_t last = tensor.offset, elements = 1;
        for (size_t i = 0; i < tensor.shape.size(); ++i) {
            const int64_t size = tensor.shape[i], stride = tensor.strides[i];
            if (size < 0 || stride < 0) fail("sizes and strides of at least 0", "others");
            if (size > 0 && elements > kLargest / size) fail("a tensor inside its storage", "one outside");
            elements *= size;
            if (size > 1 && stride > (kLargest - last) / (size - 1)) fail("a tensor inside its storage", "one outside");
            if (size > 1) last += stride * (size - 1);
        }
        if (elements > 0 && last >= tensor.storage_size) fail("a tensor inside its storage", "one outside");
        // Strides of 0 repeat elements: a copy would be larger than what the file holds.
        if (elements > tensor.storage_size) fail("a tensor of its own elements", "one that repeats some");
    }
    void reduce() {
        const Value& arguments = values_[pop()];
        const Value& callable = values_[pop()];
        if (callable.kind != Kind::global || arguments.kind != Kind::sequence) fail("a tensor's parts", "others");
        if (callable.text == "OrderedDict") {
            Value made{.kind = Kind::dictionary};
            if (!arguments.items.empty())  // a list of pairs
                for (const size_t pair : item(arguments, 0, Kind::sequence).items) {
                    if (values_[pair].kind != Kind::sequence || values_[pair].items.size() != 2)
                        fail("pairs of names and tensors", "others");
                    // One list may be given again and again: what is copied is no more than the file.
                    if (++copied_ > bytes_.size()) fail("each pair once", "some again and again");
                    made.items.insert(made.items.end(), values_[pair].items.begin(), values_[pair].items.end());
                }
            push(std::move(made));
        } else if (callable.text == "_rebuild_parameter") {
            push(Value(item(arguments, 0, Kind::tensor)));
        } else if (callable.text.starts_with("_rebuild_tensor")) {
            push_tensor(arguments);
        } else {
            fail("a tensor's parts", "others");
        }
    }
    // The attributes of an OrderedDict (`_metadata`) say nothing of its tensors.
    void build() {
        pop();
        container(Kind::dictionary);
    }

    bool step() {
        opcode_at_ = at_;
        const char opcode = take(1)[0];
        if (opcode == '.') return false;
        if (!step_value(opcode) && !step_container(opcode) && !step_object(opcode)) {
            constexpr const char* kHexDigits = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(opcode);
            fail("an opcode of a dictionary of tensors", std::string("0x") + kHexDigits[byte >> 4] + kHexDigits[byte & 15]);
        }
        return true;
    }
    bool step_value(char opcode) {
        switch (static_cast<unsigned char>(opcode)) {
            case 'N':
                return push({}), true;
            case 0x88:
                return push({.kind = Kind::boolean, .number = 1}), true;  // NEWTRUE
            case 0x89:
                return push({.kind = Kind::boolean, .number = 0}), true;  // NEWFALSE
            case 'K':
                return push_integer(static_cast<int64_t>(number(1))), true;
            case 'M':
                return push_integer(static_cast<int64_t>(number(2))), true;
            case 'J':
                return push_integer(static_cast<int32_t>(number(4))), true;
            case 0x8a:
                return push_integer(long_number(number(1))), true;  // LONG1
            case 'G':
                return take(8), push({.kind = Kind::real}), true;  // none of a tensor's parts is one
            case 'X':
                return push({.kind = Kind::text, .text = text(number(4))}), true;
            case 0x8c:
                return push({.kind = Kind::text, .text = text(number(1))}), true;  // SHORT_BINUNICODE
            default:
                return false;
        }
    }
    bool step_container(char opcode) {
        switch (static_cast<unsigned char>(opcode)) {
            case '(':
                return marks_.push_back(stack_.size()), true;
            case ')':
            case ']':
                return push_sequence({}), true;
            case '}':
                return push({.kind = Kind::dictionary}), true;
            case 't':
                return push_sequence(pop_to_mark()), true;
            case 0x85:
                return push_last(1), true;  // TUPLE1
            case 0x86:
                return push_last(2), true;
            case 0x87:
                return push_last(3), true;
            case 'a': {
                const size_t one = pop();
                return append({one}), true;
            }
            case 'e':
                return append(pop_to_mark()), true;
            case 's': {
                const size_t value = pop(), key = pop();
                return set_items({key, value}), true;
            }
            case 'u':
                return set_items(pop_to_mark()), true;
            default:
                return false;
        }
    }
    bool step_object(char opcode) {
        switch (static_cast<unsigned char>(opcode)) {
            case 0x80:
                return number(1), true;  // PROTO
            case 0x95:
                return number(8), true;  // FRAME
            case 'q':
                return keep(number(1)), true;
            case 'r':
                return keep(number(4)), true;
            case 0x94:
                return keep(memo_.size()), true;  // MEMOIZE
            case 'h':
                return recall(number(1)), true;
            case 'j':
                return recall(number(4)), true;
            case 'c': {
                const std::string module = line();
                return push_global(module, line()), true;
            }
            case 0x93: {  // STACK_GLOBAL
                const Value& name = values_[pop()];
                const Value& module = values_[pop()];
                return push_global(module.text, name.text), true;
            }
            case 'Q':
                return push_storage(), true;
            case 'R':
                return reduce(), true;
            case 'b':
                return build(), true;
            default:
                return false;
        }
    }

    std::string_view bytes_;
    std::string where_;
    size_t at_ = 0, opcode_at_ = 0, copied_ = 0;
    std::vector<Value> values_;  // all that were made
    std::vector<size_t> stack_, marks_;
    std::map<uint64_t, size_t> memo_;
};

}  // namespace

std::map<std::string, PickledTensor> parse_pickled_tensors(std::string_view pickle, const std::string& where) {
    return Unpickler(pickle, where).tensors();
}

bool is_bare_pickle(std::string_view bytes) {
    return bytes.starts_with("\x80\x02\x8a\x0a");  // the number by which such files begin
}

}  // namespace craft
