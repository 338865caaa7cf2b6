#include "model/kernels/joined_attention.h"

#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "core/error.h"
#include "model/kernels/cuda/ops.h"

namespace craft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

void append_rows(std::vector<int32_t>& rows, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) rows.push_back(static_cast<int32_t>(i));
}

// rows [tokens, heads, head_dim], the first `turning` heads turned, or turned back; by LibTorch's operations.
at::Tensor plain_turned(const at::Tensor& rows, const RotaryTable& table, int64_t turning, bool back) {
    const int64_t half = table.cos.size(1), dim = rows.size(2);
    if (half == 0) return rows.clone();
    const at::Tensor wide = rows.narrow(1, 0, turning).to(table.cos.scalar_type());
    const at::Tensor a = wide.narrow(-1, 0, half), b = wide.narrow(-1, half, half), cos = table.cos.unsqueeze(1);
    const at::Tensor sin = back ? -table.sin.unsqueeze(1) : table.sin.unsqueeze(1);
    std::vector<at::Tensor> parts = {a * cos - b * sin, b * cos + a * sin};
    if (2 * half < dim) parts.push_back(wide.narrow(-1, 2 * half, dim - 2 * half));
    return at::cat({at::cat(parts, -1).to(rows.scalar_type()), rows.narrow(1, turning, rows.size(1) - turning)}, 1);
}

at::Tensor turned(const at::Tensor& rows, const RotaryTable& table, int64_t turning, bool back) {
    if constexpr (cuda::kBuilt)
        if (cuda::applies(rows)) return cuda::turn_heads(rows, table, turning, back);
    return plain_turned(rows, table, turning, back);
}

// Queries, keys and values as views of rows [tokens, heads + 2 kv_heads, head_dim].
struct Parts {
    at::Tensor q, k, v;
    Parts(const at::Tensor& rows, const AttentionShape& s)
        : q(rows.narrow(1, 0, s.heads)),
          k(rows.narrow(1, s.heads, s.kv_heads)),
          v(rows.narrow(1, s.heads + s.kv_heads, s.kv_heads)) {}
};

// The branches' rows of queries and the prefixes' rows of keys and values, each after the other.
struct BranchParts {
    at::Tensor q, k, v;
    BranchParts(const Parts& parts, const JoinedSequences& s)
        : q(parts.q.index_select(0, s.device_branch_rows)),
          k(parts.k.index_select(0, s.device_prefix_rows)),
          v(parts.v.index_select(0, s.device_prefix_rows)) {}
};

SequenceAttention::Attended attend(const Parts& parts, const JoinedSequences& s, const SequenceAttention& attention) {
    const SequenceAttention::Attended own = attention.forward(parts.q, parts.k, parts.v, s.own);
    if (s.branches.count() == 0) return own;
    const BranchParts some(parts, s);
    const SequenceAttention::Attended before = attention.forward(some.q, some.k, some.v, s.branches);
    const at::Tensor own_lse = own.lse.index_select(1, s.device_branch_rows), lse = at::logaddexp(own_lse, before.lse);
    const auto weighted = [&](const at::Tensor& out, const at::Tensor& part) {
        return out.to(lse.scalar_type()) * (part - lse).exp_().t().unsqueeze(-1);
    };
    const at::Tensor joined =
        weighted(own.out.index_select(0, s.device_branch_rows), own_lse).add_(weighted(before.out, before.lse));
    own.out.index_copy_(0, s.device_branch_rows, joined.to(own.out.scalar_type()));
    own.lse.index_copy_(1, s.device_branch_rows, lse);
    return own;
}

at::Tensor chosen(const at::Tensor& x, int64_t dimension, const ChosenRows& chosen) {
    return chosen.rows.empty() ? x : x.index_select(dimension, chosen.device);
}

// Long prompts and responses are few runs: to copy or add run by run takes a third of the time of an indexed operation.
// Where runs are many each would be a launch.
constexpr size_t kMaxRuns = 16;

void put_rows(const at::Tensor& all, const ChosenRows& chosen, const at::Tensor& some) {
    if (chosen.rows.empty())
        all.copy_(some);
    else if (chosen.runs.size() > kMaxRuns)
        all.index_copy_(0, chosen.device, some);
    else
        for (const ChosenRows::Run& run : chosen.runs)
            all.narrow(0, run.to, run.count).copy_(some.narrow(0, run.from, run.count));
}

void add_rows(const at::Tensor& all, const ChosenRows& chosen, const at::Tensor& some) {
    if (chosen.runs.size() > kMaxRuns)
        all.index_add_(0, chosen.device, some);
    else
        for (const ChosenRows::Run& run : chosen.runs)
            all.narrow(0, run.to, run.count).add_(some.narrow(0, run.from, run.count));
}

// Gradients of the turned rows. With the joint output and log-sum-exp each part of the keys has its gradient by itself.
at::Tensor gradients(const at::Tensor& d_out, const at::Tensor& rows, const SequenceAttention::Attended& whole,
                     const AttentionShape& shape, const JoinedSequences& s, const SequenceAttention& attention) {
    const Parts parts(rows, shape);
    const at::Tensor d_rows = at::empty_like(rows);
    const Parts d_parts(d_rows, shape);
    const auto part = [&](const BackwardCall& call) {
        return attention.backward(chosen(d_out, 0, call.queries), chosen(parts.q, 0, call.queries),
                                  chosen(parts.k, 0, call.keys), chosen(parts.v, 0, call.keys),
                                  chosen(whole.out, 0, call.queries), chosen(whole.lse, 1, call.queries), call.sequences);
    };
    for (const BackwardCall& call : s.own_backward) {
        const SequenceAttention::Gradients own = part(call);
        put_rows(d_parts.q, call.queries, own.q);
        put_rows(d_parts.k, call.keys, own.k);
        put_rows(d_parts.v, call.keys, own.v);
    }
    for (const BackwardCall& call : s.branches_backward) {
        const SequenceAttention::Gradients before = part(call);
        add_rows(d_parts.q, call.queries, before.q);
        add_rows(d_parts.k, call.keys, before.k);
        add_rows(d_parts.v, call.keys, before.v);
    }
    return d_rows;
}

using SharedSequences = std::shared_ptr<const JoinedSequences>;

// All layers of a pass, and the passes that make them again, ask for the same: the last answer is kept, because a copy to a
// GPU waits for all that it has to do.
SharedSequences last_sequences(const std::vector<Segment>& segments, const BackwardBlocks& blocks,
                               const at::Device& device) {
    struct Last {
        std::mutex mutex;
        std::vector<Segment> segments;
        BackwardBlocks blocks;
        std::optional<at::Device> device;
        SharedSequences sequences;
    };
    static Last& last = *new Last;  // never destroyed: at the end of the program the GPU may be gone before it
    const std::lock_guard<std::mutex> lock(last.mutex);
    const auto same = [](const Segment& a, const Segment& b) {
        return a.begin == b.begin && a.end == b.end && a.prefix_begin == b.prefix_begin && a.prefix_end == b.prefix_end;
    };
    if (last.device != device || !(last.blocks == blocks) ||
        !std::equal(segments.begin(), segments.end(), last.segments.begin(), last.segments.end(), same)) {
        last.sequences = std::make_shared<const JoinedSequences>(joined_sequences(segments, blocks, device));
        last.segments = segments;
        last.blocks = blocks;
        last.device = device;
    }
    return last.sequences;
}

struct KeptSequences : torch::CustomClassHolder {
    KeptSequences(SharedSequences s, const AttentionShape& form, const SequenceAttention& by)
        : sequences(std::move(s)), shape(form), attention(by) {}
    SharedSequences sequences;
    AttentionShape shape;
    const SequenceAttention& attention;
};

struct JoinedAttention : torch::autograd::Function<JoinedAttention> {
    static at::Tensor forward(AutogradContext* ctx, const at::Tensor& qkv, const at::Tensor& cos, const at::Tensor& sin,
                              const AttentionShape& shape, const std::vector<Segment>& segments, at::Tensor* rotated,
                              const SequenceAttention* attention) {
        const int64_t tokens = qkv.size(0), turning = shape.heads + shape.kv_heads;
        const SharedSequences sequences =
            last_sequences(segments, {shape.heads, attention->blocks_at_once(qkv.device())}, qkv.device());
        TORCH_CHECK(sequences->own.queries.back() == tokens, "segments of ", sequences->own.queries.back(), " tokens for ",
                    tokens);
        const at::Tensor rows =
            turned(qkv.view({tokens, turning + shape.kv_heads, shape.head_dim}), {cos, sin}, turning, false);
        if (rotated != nullptr) *rotated = rows.transpose(0, 1).contiguous();
        const SequenceAttention::Attended whole = attend(Parts(rows, shape), *sequences, *attention);
        const at::Tensor out = whole.out.view({tokens, shape.heads * shape.head_dim});
        ctx->save_for_backward({rows, cos, sin, out, whole.lse});
        ctx->saved_data["sequences"] =
            c10::IValue::make_capsule(c10::make_intrusive<KeptSequences>(sequences, shape, *attention));
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& given) {
        const variable_list saved = ctx->get_saved_variables();
        const auto capsule = ctx->saved_data["sequences"].toCapsule();
        const auto& kept = static_cast<const KeptSequences&>(*capsule);
        const at::Tensor& rows = saved[0];
        const std::vector<int64_t> by_head = {rows.size(0), kept.shape.heads, kept.shape.head_dim};
        const at::Tensor d_rows = gradients(given[0].contiguous().view(by_head), rows, {saved[3].view(by_head), saved[4]},
                                            kept.shape, *kept.sequences, kept.attention);
        const at::Tensor d_qkv = turned(d_rows, {saved[1], saved[2]}, kept.shape.heads + kept.shape.kv_heads, true);
        return {d_qkv.view({rows.size(0), -1}), {}, {}, {}, {}, {}, {}};
    }
};

void cut_backward(JoinedSequences& s, const BackwardBlocks& blocks) {
    const std::vector<SequenceCut> own = backward_cuts(s.own, blocks);
    for (const SequenceCut& cut : own) {
        BackwardCall call{cut_sequences(s.own, cut), {}, {}};
        std::vector<int32_t> rows;
        for (const size_t i : cut.sequences)
            if (own.size() > 1) append_rows(rows, s.own.queries[i], s.own.queries[i + 1]);
        call.queries.add(rows.data(), rows.data() + rows.size());
        call.keys = call.queries;
        s.own_backward.push_back(std::move(call));
    }
    if (s.branches.count() == 0) return;
    for (const SequenceCut& cut : backward_cuts(s.branches, blocks)) {
        BackwardCall call{cut_sequences(s.branches, cut), {}, {}};
        for (const size_t i : cut.sequences) {
            call.queries.add(s.branch_rows.data() + s.branches.queries[i], s.branch_rows.data() + s.branches.queries[i + 1]);
            call.keys.add(s.prefix_rows.data() + s.branches.keys[i], s.prefix_rows.data() + s.branches.keys[i + 1]);
        }
        s.branches_backward.push_back(std::move(call));
    }
}

// Numbers that go to a device in one copy.
class Upload {
public:
    void sequences(Sequences& s) {
        add(s.queries, s.device_queries, false);
        add(s.keys, s.device_keys, false);
    }
    void rows(const std::vector<int32_t>& numbers, at::Tensor& place) { add(numbers, place, true); }
    void to(const at::Device& device) const {
        const at::Tensor all = at::tensor(numbers_, at::kInt).to(device), rows = all.to(at::kLong);
        for (const Part& part : parts_) *part.place = (part.is_rows ? rows : all).narrow(0, part.begin, part.size);
    }

private:
    struct Part {
        at::Tensor* place;
        int64_t begin, size;
        bool is_rows;
    };
    void add(const std::vector<int32_t>& numbers, at::Tensor& place, bool is_rows) {
        parts_.push_back({&place, static_cast<int64_t>(numbers_.size()), static_cast<int64_t>(numbers.size()), is_rows});
        numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    }
    std::vector<int32_t> numbers_;
    std::vector<Part> parts_;
};

}  // namespace

void ChosenRows::add(const int32_t* first, const int32_t* last) {
    for (; first != last; ++first) {
        if (runs.empty() || runs.back().to + runs.back().count != *first)
            runs.push_back({*first, static_cast<int64_t>(rows.size()), 0});
        ++runs.back().count;
        rows.push_back(*first);
    }
}

JoinedSequences joined_sequences(const std::vector<Segment>& segments, const BackwardBlocks& blocks) {
    JoinedSequences s;
    s.own.causal = true;
    int64_t done = 0, prefix_begin = -1, prefix_end = -1;
    for (const Segment& segment : segments) {
        if (segment.begin != done || segment.end <= segment.begin || segment.end > std::numeric_limits<int32_t>::max())
            throw Error("attention by segment", "segments that cover the rows in order, at most 2^31 of them",
                        "rows " + std::to_string(segment.begin) + " to " + std::to_string(segment.end) + " after row " +
                            std::to_string(done));
        done = segment.end;
        s.own.queries.push_back(static_cast<int32_t>(done));
        if (segment.prefix_end <= segment.prefix_begin) continue;
        const bool shares =
            s.branches.count() > 0 && segment.prefix_begin == prefix_begin && segment.prefix_end == prefix_end;
        append_rows(s.branch_rows, segment.begin, segment.end);
        if (!shares) {
            prefix_begin = segment.prefix_begin;
            prefix_end = segment.prefix_end;
            append_rows(s.prefix_rows, prefix_begin, prefix_end);
            s.branches.queries.push_back(0);
            s.branches.keys.push_back(static_cast<int32_t>(s.prefix_rows.size()));
        }
        s.branches.queries.back() = static_cast<int32_t>(s.branch_rows.size());
    }
    s.own.keys = s.own.queries;
    cut_backward(s, blocks);
    return s;
}

JoinedSequences joined_sequences(const std::vector<Segment>& segments, const BackwardBlocks& blocks,
                                 const at::Device& device) {
    JoinedSequences s = joined_sequences(segments, blocks);
    Upload upload;
    upload.sequences(s.own);
    upload.sequences(s.branches);
    upload.rows(s.branch_rows, s.device_branch_rows);
    upload.rows(s.prefix_rows, s.device_prefix_rows);
    for (auto* const calls : {&s.own_backward, &s.branches_backward}) {
        for (BackwardCall& call : *calls) {
            upload.sequences(call.sequences);
            if (call.queries.rows.empty()) continue;
            upload.rows(call.queries.rows, call.queries.device);
            upload.rows(call.keys.rows, call.keys.device);
        }
    }
    upload.to(device);
    return s;
}

at::Tensor joined_attention(const at::Tensor& qkv, const RotaryTable& table, const AttentionShape& shape,
                            const std::vector<Segment>& segments, at::Tensor* rotated, const SequenceAttention& attention) {
    return JoinedAttention::apply(qkv.contiguous(), table.cos, table.sin, shape, segments, rotated, &attention);
}

}  // namespace craft
