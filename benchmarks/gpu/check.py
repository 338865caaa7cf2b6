"""What benchmarks/gpu/1_check.sh computes with and how it judges: lines that begin with `ok` or `WRONG`. Needs no package.

    python check.py data DIR                       texts and token ids to train on and to go on from
    python check.py doctor FILE cuda|cpu           what `craft-train doctor` says
    python check.py training DIR cuda|cpu          the losses of DIR/NAME/metrics.jsonl, beside the run that each should be like
    python check.py estimate FILE RUN              what --estimate told beside what the run took
    python check.py prompts TOKENS OUT             {"id","input_ids"} of what `craft-train tokenize` wrote
    python check.py tokens DIR A B SHARE           how many rows of two outputs are the same; at least this share should be
    python check.py joined PROMPTS OUTPUT OUT      prompts with what was generated behind them, for `craft-train score`
    python check.py samples DIR A B                whether the samples of both are as likely, by A's device
    python check.py numbers NAME A B               whether two outputs hold the same numbers and tokens, up to rounding
"""
import json
import os
import random
import sys

WORDS = "the river rose in the night and by morning a road was under water nobody in town was hurt people said old bridge fell".split()

# A run, the run that it should be like, and how far the first step's loss and the later ones may lie apart, in units of the loss (at
# least 1). Rounding to bfloat16 moves a loss by 1e-3 and, a few steps of AdamW later, by up to 2e-2 on a CPU.
TRAINING = [
    ("float32", "cpu-float32", 1e-5, 1e-3),
    ("bfloat16", "cpu-float32", 5e-3, 3e-2),
    ("again", "bfloat16", 0, 0),
    ("recomputed", "bfloat16", 0, 1e-3),
    ("small-micro-batches", "bfloat16", 5e-3, 3e-2),
    ("dropout", "bfloat16", 5e-3, 3e-2),
    ("nf4", "cpu-nf4", 3e-3, 3e-2),
    ("int8", "cpu-int8", 3e-3, 3e-2),
    ("full", "cpu-full", 5e-3, 1e-1),
    ("simpo", "cpu-simpo", 2e-2, 1e-1),
    ("craft", "cpu-craft", 2e-2, 1e-1),
    ("arpo_simpo", "cpu-arpo_simpo", 2e-2, 1e-1),
]


def say(right, text):
    print(f"{'ok' if right else 'WRONG':6} {text}", flush=True)


def rows(file):
    return [json.loads(line) for line in open(file)]


def write(file, values):
    with open(file, "w") as out:
        out.writelines(json.dumps(value) + "\n" for value in values)


def data(folder):
    rng = random.Random(5)

    def text(low, high):
        return " ".join(rng.choice(WORDS) for _ in range(rng.randint(low, high)))

    def ids(count):  # of the small stored models, which have 40 tokens or 41
        return [rng.randint(5, 39) for _ in range(count)]

    histories = [text(20, 120) for _ in range(24)]
    write(folder + "/sft.jsonl", [{"prompt": t, "completion": " " + text(10, 60)} for t in histories])
    write(folder + "/pairs.jsonl", [{"prompt": t, "chosen": " " + text(10, 60), "rejected": " " + text(10, 60)} for t in histories])
    write(folder + "/texts.jsonl", [{"id": str(i), "text": t} for i, t in enumerate(histories)])
    sequences = [{"input_ids": ids(n), "completion_mask": [0] * 9 + [1] * (n - 9)} for n in (24, 36, 30)]
    write(folder + "/loss.jsonl", [{"id": "0", "request": {"loss": "sft"}, "sequences": sequences}])
    write(folder + "/ids.jsonl", [{"id": str(n), "input_ids": ids(n)} for n in (5, 12, 20)])
    write(folder + "/sources.jsonl", [{"id": str(n), "source_ids": ids(n), "target_ids": ids(8)} for n in (5, 12)])


def doctor(file, device):
    text = open(file).read()
    cuda = [line.strip() for line in text[text.index("\ncuda:\n") + 1:].split("\nendpoints:")[0].splitlines()[1:]]
    broken = next(line for line in text.splitlines() if line.startswith("broken:"))
    say(("works: yes" in cuda or device == "cpu") and broken == "broken: none", "doctor: " + "; ".join(cuda + [broken]))


def training(folder, device):
    def losses(name):
        file = f"{folder}/{name}/metrics.jsonl"
        return [row["loss"] for row in rows(file)] if os.path.exists(file) else []

    for name, beside, first, later in TRAINING:
        got, expected = losses(name), losses(beside)
        if not got or len(got) != len(expected):
            say(False, f"{name}: {len(got)} steps, {len(expected)} of {beside}")
            continue
        apart = [abs(a - b) / max(1, abs(b)) for a, b in zip(got, expected)]
        right = apart[0] <= first and max(apart) <= max(first, later)  # a NaN is not
        if name == "dropout":  # what it drops shows once B is no longer zero
            right = right and max(apart) > 0
        say(right, f"{name}: {' '.join(f'{x:.5f}' for x in got)}; {beside}: {apart[0]:.1e} in step 1, at most {max(apart):.1e}")

    def adapter(name):
        file = f"{folder}/{name}/adapter/adapter_model.safetensors"
        return open(file, "rb").read() if os.path.exists(file) else name

    say(adapter("again") == adapter("bfloat16"), "the same run twice: " +
        ("the same bytes" if adapter("again") == adapter("bfloat16") else "other bytes"))
    same = adapter("recomputed") == adapter("bfloat16")
    say(same, "recomputed: " + ("the same bytes" if same else "other bytes"))
    trace = f"{folder}/bfloat16/trace.json"
    text = open(trace).read() if os.path.exists(trace) else ""
    ops, kernels = text.count('"cat": "cpu_op"'), text.count('"cat": "kernel"')
    say(ops > 0 and (kernels > 0 or device == "cpu"), f"profile: {ops} operations, {kernels} kernels on the GPU")


def estimate(file, run):
    text = open(file).read()
    told, steps = json.loads(text[text.index("{"):]), rows(run + "/metrics.jsonl")
    peak = max(step.get("peak_gpu_memory_bytes", step["peak_memory_bytes"]) for step in steps)
    seconds = sum(step["seconds"] for step in steps[1:]) / (len(steps) - 1)
    # So small a model is mostly what the allocator rounds up.
    right = 0.5 <= told["peak_memory_bytes"] / peak <= 2
    say(right, f"estimate: {told['peak_memory_bytes'] / 1e6:.0f} MB told, {peak / 1e6:.0f} seen; "
        f"{told['seconds_per_step']:.3f} s a step told, {seconds:.3f} seen")


def prompts(tokens, out):
    write(out, [{"id": row["id"], "input_ids": row["ids"]} for row in rows(tokens)])


def output(folder, name):
    file = f"{folder}/{name}.jsonl"
    return [row["output_ids"] for row in rows(file)] if os.path.exists(file) else []


def tokens(folder, a, b, share):
    one, other = output(folder, a), output(folder, b)
    same = sum(x == y for x, y in zip(one, other))
    right = len(one) == len(other) > 0 and same >= float(share) * len(one)
    say(right, f"{b}: {same} of {len(one)} rows as {a}")


def joined(prompts_file, output_file, out):
    by_id = {row["id"]: row["input_ids"] for row in rows(prompts_file)}
    write(out, [{"id": f"{row['id']}-{row.get('sample', 0)}-{len(by_id[row['id']])}", "input_ids": by_id[row["id"]] + row["output_ids"]}
                for row in rows(output_file)])


def samples(folder, a, b):
    means = []
    for name in (a, b):
        logprobs = []
        for row in rows(f"{folder}/{name}-scored.jsonl"):
            logprobs += row["logprobs"][int(row["id"].split("-")[2]) - 1:]
        mean = sum(logprobs) / len(logprobs)
        deviation = (sum((x - mean) ** 2 for x in logprobs) / len(logprobs) ** 2) ** 0.5
        means.append((mean, deviation, len(logprobs)))
    apart = abs(means[0][0] - means[1][0])
    allowed = 4 * (means[0][1] ** 2 + means[1][1] ** 2) ** 0.5  # standard errors of the difference
    say(apart <= allowed, f"{b}: {means[1][2]} tokens of mean log-probability {means[1][0]:.3f}, {a} {means[0][0]:.3f}; "
        f"{allowed:.3f} apart is chance")


def numbers(name, a, b):
    if not (os.path.exists(a) and os.path.exists(b)):
        return say(False, f"{name}: no result")
    worst, tokens_differ = 0.0, False

    def compare(x, y):
        nonlocal worst, tokens_differ
        if isinstance(x, list):
            tokens_differ |= len(x) != len(y)
            for pair in zip(x, y):
                compare(*pair)
        elif isinstance(x, float) and isinstance(y, float):
            worst = max(worst, abs(x - y) / max(1, abs(x))) if x == x and y == y else float("inf")
        else:
            tokens_differ |= x != y

    one, other = rows(a), rows(b)
    tokens_differ |= len(one) != len(other)
    for x, y in zip(one, other):
        tokens_differ |= x.keys() != y.keys()
        for key in x:
            compare(x[key], y.get(key))
    say(worst <= 1e-4 and not tokens_differ, f"{name}: {'tokens differ' if tokens_differ else 'the same tokens'}, numbers {worst:.1e} apart")


if __name__ == "__main__":
    {"data": data, "doctor": doctor, "training": training, "estimate": estimate, "prompts": prompts, "tokens": tokens, "joined": joined,
     "samples": samples, "numbers": numbers}[sys.argv[1]](*sys.argv[2:])
