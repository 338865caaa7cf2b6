"""Renders chat templates over many conversations with transformers, for our rendering to be compared with.

    python make_chats.py FOLDER [--stored]

Writes FOLDER/chats.jsonl: {"template", "conversation": {"messages", "tools", "variables", "generation_prompt",
"continue_final"}, "special": {...}, "text"} with "text" null where transformers raises. Templates: those that ship
(share/chat_templates), and the published ones that the trl package carries: an installed trl, or a wheel named by
CRAFT_TRL_WHEEL, or a folder of *.jinja named by CRAFT_CHAT_TEMPLATES. CRAFT_CHATS_SEED changes the conversations.
--stored makes tests/model/chat/stored/chats.jsonl: the templates that ship, by name only, with a few conversations each.
"""
import glob
import importlib.util
import json
import os
import random
import sys
import zipfile

from transformers.utils.chat_template_utils import render_jinja_template

HERE = os.path.dirname(os.path.abspath(__file__))
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
WORDS = ["river", "Über", "naïve", "漢字", "👩‍👩‍👧", "e\u0301", "שלום", "a\tb", " two  blanks ", "<|im_end|>", "</s>", "[INST]",
         "<tool_response>", "line\nbreak", "\n\nstart", "end\n", "'q'", '"d"', "\\n", "{{ x }}", "{% y %}", "<think>", "</think>",
         "&lt;", "x<y>&z", "\u2028", "\u00a0", "0", "3.5", "", "<|eot_id|>", "ß", "ǆ", "\x07"]


def templates():
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "../../share/chat_templates/*.jinja"))):
        found["share/" + os.path.basename(path)] = open(path, encoding="utf-8", newline="").read()
    folder, wheel = os.environ.get("CRAFT_CHAT_TEMPLATES"), os.environ.get("CRAFT_TRL_WHEEL")
    spec = importlib.util.find_spec("trl")
    if folder is None and spec is not None:
        folder = os.path.join(os.path.dirname(spec.origin), "chat_templates")
    if folder is not None:
        for path in sorted(glob.glob(os.path.join(folder, "*.jinja"))):
            found["trl/" + os.path.basename(path)] = open(path, encoding="utf-8", newline="").read()
    elif wheel is not None:
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if name.startswith("trl/chat_templates/") and name.endswith(".jinja"):
                    found["trl/" + os.path.basename(name)] = archive.read(name).decode("utf-8")
    return found


def text(rng):
    return rng.choice(["", " ", "\n"]) * rng.randint(0, 1) + " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 5)))


def value(rng, depth=0):
    kind = rng.randint(0, 6 if depth < 2 else 4)
    if kind <= 1:
        return text(rng)
    if kind == 2:
        return rng.choice([0, 1, -7, 12345678901, 2.5, 1e-9, 1e22, 0.1])
    if kind == 3:
        return rng.choice([True, False])
    if kind == 4:
        return None
    if kind == 5:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return {rng.choice(["a", "b", "City", "é", "items", "keys"]): value(rng, depth + 1) for _ in range(rng.randint(0, 3))}


def tool(rng):
    kinds = ["string", "number", "integer", "boolean", "array", "object", ["string", "null"]]
    properties = {}
    for _ in range(rng.randint(0, 3)):
        spec = {"type": rng.choice(kinds), "description": text(rng)}
        if spec["type"] == "array":
            spec["items"] = {"type": rng.choice(["string", "number", "object"])}
        if spec["type"] == "string" and rng.random() < 0.4:
            spec["enum"] = ["x", "y"]
        if rng.random() < 0.2:
            spec["default"] = rng.choice(["d", 3, None])
        properties[rng.choice(["city", "Unit", "n", "with space"])] = spec
    parameters = {"type": "object", "properties": properties, "required": list(properties)[:1]}
    return {"type": "function", "function": {"name": rng.choice(["get_weather", "sum"]), "description": text(rng), "parameters": parameters}}


def call(rng):
    arguments = {rng.choice(["city", "Unit", "n", "é"]): value(rng) for _ in range(rng.randint(0, 3))}
    if rng.random() < 0.15:
        arguments = json.dumps(arguments)
    made = {"type": "function", "function": {"name": rng.choice(["get_weather", "sum"]), "arguments": arguments}}
    if rng.random() < 0.3:
        made["id"] = "call_1"
    return made if rng.random() < 0.9 else made["function"]


def conversation(rng):
    messages = []
    if rng.random() < 0.5:
        messages.append({"role": rng.choice(["system", "system", "developer"]), "content": text(rng)})
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.95:
            messages.append({"role": "user", "content": text(rng)})
        if rng.random() < 0.1 and messages:
            messages[-1]["content"] = [{"type": "text", "text": text(rng)}] + ([{"type": "image"}] if rng.random() < 0.3 else [])
        answer = {"role": "assistant", "content": text(rng)}
        if rng.random() < 0.3:
            answer["content"] = "<think>\n" + text(rng) + "\n</think>\n\n" + text(rng)
        if rng.random() < 0.2:
            answer[rng.choice(["reasoning_content", "thinking", "reasoning"])] = text(rng)
        if rng.random() < 0.3:
            answer["tool_calls"] = [call(rng) for _ in range(rng.randint(1, 2))]
            if rng.random() < 0.4:
                answer["content"] = rng.choice([None, ""])
            messages.append(answer)
            for one in answer["tool_calls"]:
                messages.append({"role": rng.choice(["tool", "tool", "ipython"]), "name": "get_weather",
                                 "content": text(rng) if rng.random() < 0.8 else value(rng)})
                if rng.random() < 0.3:
                    messages[-1]["tool_call_id"] = "call_1"
            continue
        messages.append(answer)
    if rng.random() < 0.5 and len(messages) > 1:
        messages.pop()
    made = {"messages": messages, "tools": None, "variables": {}, "generation_prompt": rng.random() < 0.5, "continue_final": False}
    if rng.random() < 0.3:
        made["tools"] = [tool(rng) for _ in range(rng.randint(0, 2))]
    for key, choices in {"enable_thinking": [True, False], "date_string": ["1 Jan 2030"], "builtin_tools": [["code_interpreter", "get_weather"]],
                         "tools_in_user_message": [False], "preserve_thinking": [True, False], "reasoning_effort": ["low", "high"],
                         "clear_thinking": [True, False], "model_identity": ["You are X."], "keep_past_thinking": [True]}.items():
        if rng.random() < 0.15:
            made["variables"][key] = rng.choice(choices)
    if not made["generation_prompt"] and rng.random() < 0.15:
        made["continue_final"] = True
    return made


def render(template, made):
    messages = [{k: v for k, v in message.items() if v is not None} for message in made["messages"]]  # as apply_chat_template
    rendered, _ = render_jinja_template([messages], tools=made["tools"], chat_template=template,
                                        add_generation_prompt=made["generation_prompt"],
                                        continue_final_message=made["continue_final"], **{**SPECIAL, **made["variables"]})
    return rendered[0]


def main():
    stored = "--stored" in sys.argv
    rng = random.Random(20 if stored else int(os.environ.get("CRAFT_CHATS_SEED", "7")))
    count = 9 if stored else int(os.environ.get("CRAFT_CHATS_COUNT", "60"))
    errors = rows = 0
    with open(os.path.join(sys.argv[1], "chats.jsonl"), "w", encoding="utf-8") as out:
        for name, template in templates().items():
            if stored and not name.startswith("share/"):
                continue
            for _ in range(count):
                made = conversation(rng)
                row = {"name": name, "template": template, "conversation": made, "special": SPECIAL}
                if stored:
                    del row["template"]
                try:
                    row["text"] = render(template, made)
                except Exception as error:
                    row["text"], row["error"] = None, f"{type(error).__name__}: {error}"[:300]
                    errors += 1
                rows += 1
                out.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(rows, "conversations,", errors, "that transformers refuses")


main()
