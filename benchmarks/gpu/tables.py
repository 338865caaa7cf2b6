"""The tables of benchmarks/gpu/2_speed.sh and 3_peers.sh. Needs no package.

    python tables.py speed-head
    python tables.py speed NAME RUN LOG SECONDS GOAL       a run's row; exit code 1 if it has a goal (not 0) and misses it
    python tables.py estimate LOG RUN                      what --estimate told beside what the run took
    python tables.py kernels TRACE                         where a GPU's time went: the twelve costliest kernels of a trace
    python tables.py peer-head
    python tables.py peer KIND PEER PEER_PEAK RUN PEAK RATE    peaks in MiB, 0 where not measured; rate in 10^12 operations a second
    python tables.py generation PEER OURS...               OURS: BATCH:SECONDS_OF_ONE:SECONDS_OF_ALL:NEW_TOKENS
    python tables.py bandwidths LOG                        each of our kernels in what ncu --csv --page raw printed
"""
import collections
import csv
import json
import os
import sys


def rows(file):
    return [json.loads(line) for line in open(file)]


GOALS = os.environ.get("SHAPE") == "8b"  # a small model has none


def goals(*each):
    """Their text, and whether all are met; each is (met, what is asked for)."""
    if not GOALS:
        return "", True
    return "; ".join(f"{'met' if met else 'MISSED'} ({text})" for met, text in each), all(met for met, _ in each)


def gpu_memory(steps):
    return max(step.get("peak_gpu_memory_bytes", step["peak_memory_bytes"]) for step in steps) / 1e9


def speed_head():
    print("| run | first step | tokens/s from the second on | as separate rows | MFU | memory | loading | process | goal |")
    print("|---|---|---|---|---|---|---|---|---|")


def speed(name, run, log, process, least):
    steps = rows(run + "/metrics.jsonl")
    later = steps[1:]
    seconds = sum(step["seconds"] for step in later)
    rates = {key: sum(step[key] for step in later) / seconds for key in ("tokens", "sequence_tokens")}
    mfu = sum(step.get("mfu", 0) * step["seconds"] for step in later) / seconds
    loading = [json.loads(line)["seconds"] for line in open(log) if "weights read" in line]
    counted, least = "sequence_tokens" if name.startswith("pairs") else "tokens", int(least)
    told, met = goals((rates[counted] >= least, f"{least:,} tokens/s")) if least else ("", True)
    print(f"| {name} | {steps[0]['seconds']:.2f} s | {rates['tokens']:,.0f} | {rates['sequence_tokens']:,.0f} | {mfu:.0%} | "
          f"{gpu_memory(steps):.1f} GB | {loading[0] if loading else 0:.1f} s | {process} s | {told} |", flush=True)
    sys.exit(not met)


def estimate(log, run):
    text = open(log).read()
    told, steps = json.loads(text[text.index("{"):]), rows(run + "/metrics.jsonl")
    seconds = sum(step["seconds"] for step in steps[1:]) / (len(steps) - 1)
    print(f"told {told['peak_memory_bytes'] / 1e9:.1f} GB and {told['seconds_per_step']:.2f} s a step, "
          f"seen {gpu_memory(steps):.1f} GB and {seconds:.2f} s; layers measured: {[probe['layers'] for probe in told['measured']]}")


def kernels(trace):
    seconds, count = collections.Counter(), collections.Counter()
    for event in json.load(open(trace))["traceEvents"]:
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            seconds[event["name"]] += event["dur"] / 1e6
            count[event["name"]] += 1
    total = sum(seconds.values())
    print(f"{total:.3f} s of kernels")
    for name, spent in seconds.most_common(12):
        print(f"{spent / total:6.1%} {count[name]:6} x {name[:110]}")


def peer_head():
    print("| workload, peer | peer: all steps, from the second on | memory | craft-train: all, from the second on | memory | faster | "
          "memory | losses apart | MFU | goals |")
    print("|---|---|---|---|---|---|---|---|---|---|")


def peer(kind, peer_file, peer_peak, run, peak, rate):
    theirs, steps = json.load(open(peer_file)), rows(run + "/metrics.jsonl")
    mine = [step["seconds"] for step in steps]
    off = max(abs(ours["loss"] - loss) / max(1, abs(loss)) for ours, loss in zip(steps, theirs["losses"], strict=True))
    faster = sum(theirs["seconds"][1:]) / sum(mine[1:])
    memory = float(peak) / float(peer_peak) if float(peer_peak) else float("nan")
    tokens = sum(step["tokens"] for step in steps)
    share = sum(step["tokens"] for step in steps[1:]) / tokens  # of the operations
    mfu = theirs["operations"] * share / sum(mine[1:]) / (float(rate) * 1e12)
    asked = {"sft": [(mfu >= 0.5, "MFU 50 %")], "pairs": [(faster >= 2, "2 x"), (memory <= 0.5, "memory 0.5 x")]}[kind.split("-")[0]]
    told, met = goals(*asked, (off <= 2e-2, "losses 2e-2"))
    print(f"| {kind}, {theirs['name']} | {sum(theirs['seconds']):.2f} s, {sum(theirs['seconds'][1:]):.2f} s | {float(peer_peak) / 1024:.1f} GiB | "
          f"{sum(mine):.2f} s, {sum(mine[1:]):.2f} s | {float(peak) / 1024:.1f} GiB | {faster:.1f} x | {memory:.2f} x | {off:.1e} | {mfu:.0%} | {told} |", flush=True)
    sys.exit(not met or off > 2e-2)


def generation(peer_file, *ours):
    theirs = {str(row["batch"]): row for row in rows(peer_file)}
    print("| prompts at once | transformers, tokens/s | craft-train, tokens/s | faster | prompts: transformers, craft-train | goal |")
    print("|---|---|---|---|---|---|")
    all_met = True
    for measured in ours:
        batch, one, whole, new = measured.split(":")
        rate = int(batch) * (int(new) - 1) / (float(whole) - float(one))
        peer = theirs.get(batch)
        if peer is None:
            print(f"| {batch} | | {rate:,.0f} | | , {float(one):.2f} s | |")
            continue
        faster = rate / peer["tokens_per_second"]
        told, met = goals((faster >= 3, "3 x"))
        all_met = all_met and met
        print(f"| {batch} | {peer['tokens_per_second']:,.0f} | {rate:,.0f} | {faster:.1f} x | {peer['prompt_seconds']:.2f} s, {float(one):.2f} s | "
              f"{told} |")
    sys.exit(not all_met)


def bandwidths(log):
    table = [line for line in csv.reader(open(log)) if len(line) > 10]
    names = table[0]
    asked = [key for key in names if key.startswith(("gpu__", "dram__"))]  # beside them stand the device's attributes
    by_kernel = collections.defaultdict(list)
    for line in table[2:]:  # the second has the units
        value = dict(zip(names, line))
        by_kernel[value["Kernel Name"]].append([float(value[key].replace(",", "")) for key in asked])
    units = dict(zip(names, table[1]))
    metrics = [f"{key} [{units[key]}]" for key in asked]
    print("calls, means of " + ", ".join(metrics))
    for kernel, values in by_kernel.items():
        means = ", ".join(f"{sum(column) / len(values):.1f}" for column in zip(*values))
        print(f"{len(values)}, {means}: {kernel[:160]}")


if __name__ == "__main__":
    {"speed-head": speed_head, "speed": speed, "estimate": estimate, "kernels": kernels, "peer-head": peer_head, "peer": peer,
     "generation": generation, "bandwidths": bandwidths}[sys.argv[1]](*sys.argv[2:])
