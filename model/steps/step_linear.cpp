#include "model/steps/step_linear.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>

#include "model/kernels/bfloat16_products.h"

namespace craft {

namespace {

// Rows of a weight that a thread multiplies at once: for many rows of activations, which each of them reads, more.
int64_t rows_at_once(int64_t m) {
    return m <= 8 ? 4 : 16;
}

void packed_product(const std::vector<float>& a, int64_t m, const PackedWeight& w, std::vector<float>& c, bool add) {
    c.resize(static_cast<size_t>(m * w.rows));
    at::parallel_for(0, padded(w.rows) / kLanes, 1,
                     [&](int64_t begin, int64_t end) { cpu_kernels().product(a.data(), m, w, c.data(), add, begin, end); });
}

bool is_read_in_place(const at::Tensor& weight) {
    return weight.is_cpu() && weight.scalar_type() == at::kBFloat16 && weight.is_contiguous();
}

}  // namespace

QuantizedWeight rows_in_memory(const at::Tensor& weight) {
    QuantizedWeight rows;
    rows.rows = weight.size(0);
    rows.columns = weight.size(1);
    rows.codes = weight.detach();
    if (!is_read_in_place(weight)) rows.codes = rows.codes.to(at::kCPU, at::kFloat).contiguous();
    return rows;
}

StepLinear::StepLinear(at::Tensor weight, const Projection& adapter, bool may_copy)
    : StepLinear(Linear{std::move(weight), {}, {}, {adapter}}, may_copy) {}

std::vector<float> floats(const at::Tensor& tensor) {
    const at::Tensor flat = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
    return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

StepLinear::StepLinear(Linear linear, bool may_copy, bool rounds) {
    const Projection& last = linear.projections.back();
    rows_ = last.first + last.rows;
    columns_ = linear.columns();
    const bool is_narrow = linear.quantized.empty() && is_read_in_place(linear.weight);
    if (is_narrow && may_copy && has_bfloat16_products()) {
        narrow_ = pack_bfloat16_weight(linear.weight);
        set_narrow_adapters(linear.projections);
        return;
    }
    if (linear.quantized.empty() && (may_copy || !is_narrow)) {
        // In float32 also where the base is not: rounding the sum would lose what little an adapter adds.
        at::Tensor merged = linear.merged_weight(at::kFloat);
        linear.weight = at::Tensor();
        packed_ = pack_weight(std::move(merged));
        return;
    }
    if (may_copy && rounds && !linear.quantized.empty() &&
        std::all_of(linear.quantized.begin(), linear.quantized.end(), packs_codes)) {
        for (const QuantizedWeight& part : linear.quantized) codes_.push_back(pack_codes(part));
        set_narrow_adapters(linear.projections);
        return;
    }
    if (linear.quantized.empty()) parts_.emplace_back(rows_in_memory(linear.weight));
    for (const QuantizedWeight& part : linear.quantized)
        parts_.emplace_back(part.kind == Quantization::none ? rows_in_memory(part.codes) : part);
    set_adapters(linear.projections);
}

void StepLinear::set_adapters(const std::vector<Projection>& projections) {
    std::vector<at::Tensor> in;
    int64_t ranks = 0;
    for (const Projection& part : projections)
        if (part.lora_a.defined()) {
            in.push_back(part.lora_a.detach().to(at::kFloat));
            ranks += part.lora_a.size(0);
        }
    if (in.empty()) return;
    const at::Tensor out = at::zeros({rows_, ranks}, at::kFloat);
    ranks = 0;
    for (const Projection& part : projections) {
        if (!part.lora_a.defined()) continue;
        const int64_t rank = part.lora_a.size(0);
        out.narrow(0, part.first, part.rows).narrow(1, ranks, rank).copy_(part.lora_b.detach() * part.lora_scale);
        ranks += rank;
    }
    adapters_in_ = pack_weight(at::cat(in));
    adapters_out_ = pack_weight(out);
}

void StepLinear::set_narrow_adapters(const std::vector<Projection>& projections) {
    std::vector<at::Tensor> in;
    for (const Projection& part : projections) {
        if (!part.lora_a.defined()) continue;
        in.push_back(part.lora_a.detach().to(at::kFloat));
        if (const int64_t rank = part.lora_a.size(0); rank % 2 == 1)
            in.push_back(at::zeros({1, part.lora_a.size(1)}, at::kFloat));
        narrow_out_.push_back({part.first, pack_bfloat16_weight(part.lora_b.detach() * part.lora_scale)});
    }
    if (!in.empty()) narrow_in_ = pack_bfloat16_weight(at::cat(in));
}

// c (+)= a W^T + (a A^T) B^T, each factor rounded to bfloat16; codes are it anyway.
void StepLinear::add_rounded(const std::vector<float>& a, int64_t m, std::vector<float>& c, bool add) const {
    const std::vector<uint16_t> x = rounded_rows(a.data(), m, columns_);
    if (narrow_.rows > 0) packed_product(x.data(), narrow_.columns, m, narrow_, c.data(), rows_, add);
    const bool has_offsets =
        std::any_of(codes_.begin(), codes_.end(), [](const CodePanels& w) { return w.offsets != nullptr; });
    const std::vector<float> sums = has_offsets ? block_sums(x, m, columns_) : std::vector<float>{};
    int64_t first = 0;
    for (const CodePanels& part : codes_) {
        code_product(x.data(), sums.data(), m, part, c.data() + first, rows_, add);
        first += part.rows;
    }
    if (!narrow_out_.empty()) add_narrow_adapters(x, m, c);
}

void StepLinear::add_narrow_adapters(const std::vector<uint16_t>& x, int64_t m, std::vector<float>& c) const {
    const int64_t ranks = narrow_in_.rows;
    std::vector<float> inner(static_cast<size_t>(m * ranks));
    packed_product(x.data(), narrow_in_.columns, m, narrow_in_, inner.data(), ranks, false);
    const std::vector<uint16_t> y = rounded_rows(inner.data(), m, ranks);
    int64_t rank = 0;
    for (const NarrowAdapter& adapter : narrow_out_) {
        packed_product(y.data() + rank, ranks, m, adapter.out, c.data() + adapter.first, rows_, true);
        rank += adapter.out.columns;
    }
}

void StepLinear::product(const std::vector<float>& a, int64_t m, std::vector<float>& c, bool add) const {
    c.resize(static_cast<size_t>(m * rows_));
    if (narrow_.rows > 0 || !codes_.empty()) return add_rounded(a, m, c, add);
    if (parts_.empty()) return packed_product(a, m, packed_, c, add);
    if (!add) std::fill(c.begin(), c.end(), 0.0F);
    add_narrow(a, m, c);
    if (adapters_in_.rows == 0) return;
    std::vector<float> inner;
    packed_product(a, m, adapters_in_, inner, false);
    packed_product(inner, m, adapters_out_, c, true);
}

void StepLinear::add_narrow(const std::vector<float>& a, int64_t m, std::vector<float>& c) const {
    struct Task {
        const WeightDots* part;
        int64_t first, row, count;  // the part's first row in the whole; rows of the part
    };
    std::vector<Task> tasks;
    const int64_t at_once = rows_at_once(m);
    int64_t first = 0;
    for (const WeightDots& part : parts_) {
        for (int64_t row = 0; row < part.rows(); row += at_once)
            tasks.push_back({&part, first, row, std::min(at_once, part.rows() - row)});
        first += part.rows();
    }
    const bool any_split = std::any_of(parts_.begin(), parts_.end(), [](const WeightDots& w) { return w.takes_split(); });
    const std::vector<float> split = any_split ? split_pairs(a) : std::vector<float>{};
    at::parallel_for(0, static_cast<int64_t>(tasks.size()), 1, [&](int64_t begin, int64_t end) {
        std::vector<float> scratch;
        for (int64_t t = begin; t < end; ++t) {
            const Task& task = tasks[static_cast<size_t>(t)];
            task.part->add(task.part->takes_split() ? split.data() : a.data(), m, task.row, task.count,
                           c.data() + task.first + task.row, rows_, scratch);
        }
    });
}

}  // namespace craft
