"""Makes rows of conversations as users have them in files, and what transformers and TRL make of each, for our reader to be compared with.

    python make_conversations.py FOLDER

Writes FOLDER/conversations.jsonl (kept: tests/model/chat/stored), FOLDER/templates: those used beside the ones that ship, and, where there is
none yet, FOLDER/tokenizer: a small byte-level BPE with the special tokens of all templates. Trainers break ties differently each time, so
that rows belong to the tokenizer they were made with.

A row is {"case", "form", "template": a name, "special": tokens to name in tokenizer_config.json, "row", "expected"}, and with
"post_processor" that is the tokenizer's. By form, "expected" is
  chat    {"text"}: apply_chat_template of the messages
  prompt  {"ids"}: the same with a generation prompt, tokenized
  sft     {"sequences": [{"ids", "counted"}]}: what SFTTrainer makes of a row; "counted" is one 0 or 1 a token
  pairs   the same of CPOTrainer, chosen then rejected
or {"error": true} where transformers or our contract refuses the row; "why" then tells.

The trainers' own code runs: SFTTrainer._prepare_dataset, and for pairs maybe_extract_prompt, maybe_apply_chat_template and
CPOTrainer.tokenize_row. What we mean to do otherwise is ours() below, and nothing else.
"""
import json
import os
import random
import sys
import tempfile
from types import SimpleNamespace

import jinja2
from datasets import IterableDataset
from tokenizers import AddedToken
from transformers import AutoTokenizer
from transformers.utils import logging
from trl import SFTTrainer
from trl.data_utils import is_conversational, maybe_apply_chat_template, maybe_extract_prompt
from trl.experimental.cpo import CPOTrainer

from make_tokenizers import LLAMA3, byte_level

logging.set_verbosity_error()
HERE = os.path.dirname(os.path.abspath(__file__))
SHARE = os.path.join(HERE, "../../share/chat_templates")
MESSAGE_KEYS = ("messages", "prompt", "completion", "chosen", "rejected")

# The tokenizer.
SENTENCES = [
    "The gardener waters the quiet river and the editor rewrites every sentence.", "What is the weather in the old town today? It is warm and dry.",
    "Please shorten this paragraph, keep the keyword and write three sentences.", "Our neighbour measures the bridge; nobody remembers its length.",
    "Here is the answer: twelve short words are enough for a plan.", "You are a careful assistant. User and assistant take turns, the system speaks first.",
    "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}", "{\"type\": \"function\", \"function\": {\"description\": \"text\", \"parameters\": {}}}",
]
SPECIAL = ["<|endoftext|>", "<s>", "</s>", "<|im_start|>", "<|im_end|>", "<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>",
           "<|eom_id|>", "<|python_tag|>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "[INST]", "[/INST]"]
NOT_SPECIAL = ["<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"]  # tokens of their own, as in Qwen3


def make_tokenizer(folder):
    texts = 3 * SENTENCES + [source_of(template) for template in SHIPPED.split()]
    tokenizer = byte_level(texts, LLAMA3, specials=SPECIAL, size=1500)
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in NOT_SPECIAL])
    os.makedirs(folder)
    tokenizer.save(os.path.join(folder, "tokenizer.json"), pretty=False)
    decoder = {}
    for number, token in sorted(tokenizer.get_added_tokens_decoder().items()):
        decoder[str(number)] = {key: getattr(token, key) for key in ("content", "lstrip", "normalized", "rstrip", "single_word", "special")}
    with open(os.path.join(folder, "tokenizer_config.json"), "w", encoding="utf-8") as file:
        json.dump({"added_tokens_decoder": decoder, "clean_up_tokenization_spaces": False, "tokenizer_class": "PreTrainedTokenizerFast"}, file, indent=1)
        file.write("\n")


def leading(text, number):
    """A post-processor that writes a token in front of plain texts."""
    sequence = [{"SpecialToken": {"id": text, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    return {"type": "TemplateProcessing", "single": sequence, "pair": sequence + [{"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {text: {"id": text, "ids": [number], "tokens": [text]}}}


# Templates that do not ship. Qwen 1.5 ends turns only where another follows, SOLAR and LLaVA write blanks, GLM nothing.
CHATML = "'<|im_start|>' + message.role + '\\n'"
OWN = {
    "qwen1.5": "{% for message in messages %}{{ " + CHATML + " + message.content }}{% if (loop.last and add_generation_prompt) or not loop.last %}"
               "{{ '<|im_end|>\\n' }}{% endif %}{% endfor %}"
               "{% if add_generation_prompt and messages[-1].role != 'assistant' %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    "solar": "{% for message in messages %}{{ '### ' + message.role.title() + ':\\n' }}{{ message.content }}{{ '\\n\\n' }}{% endfor %}"
             "{% if add_generation_prompt %}{{ '### Assistant:\\n' }}{% endif %}",
    "glm": "{% for message in messages %}{{ '<|' + message.role + '|>\\n' }}{{ message.content }}{% endfor %}"
           "{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}",
    "llava": "{% for message in messages %}{{ message.role.upper() + ':' }}{{ ' ' }}{% if message.content is string %}{{ message.content }}{% else %}"
             "{% for part in message.content %}{{ part.text }}{% endfor %}{% endif %}{{ ' ' }}{% endfor %}"
             "{% if add_generation_prompt %}{{ 'ASSISTANT:' }}{% endif %}",
    # Content as a string or as a list of parts.
    "parts": "{% for message in messages %}{{ " + CHATML + " }}{% if message.content is string %}{{ message.content }}{% else %}"
             "{% for part in message.content or [] %}{% if part.type == 'text' %}{{ part.text }}{% endif %}{% endfor %}{% endif %}{{ '<|im_end|>' }}{{ '\\n' }}"
             "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    # A list of parts only, as templates of models that see images.
    "list": "{% for message in messages %}{{ " + CHATML + " }}{% for part in message.content %}{{ loop.index ~ '. ' ~ part['text'] ~ ';' }}"
            "{% endfor %}{{ '<|im_end|>' }}{{ '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    # Documents, names and whatever else a message has.
    "all": "{% for document in documents or [] %}{{ '[' + document.title + '] ' + document.text + '\\n' }}{% endfor %}"
           "{% for message in messages %}{{ " + CHATML + " }}{% for key in ['name', 'tool_call_id', 'reasoning_content', 'mood'] %}"
           "{% if key in message %}{{ key ~ '=' ~ message[key] ~ '\\n' }}{% endif %}{% endfor %}{{ message.content }}{{ '<|im_end|>' }}{{ '\\n' }}"
           "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    # Says itself what the assistant generates: the newline behind the end token, too.
    "marked": "{% for message in messages %}{{ " + CHATML + " }}{% if message.role == 'assistant' %}{% generation %}{{ message.content + '<|im_end|>\\n' }}"
              "{% endgeneration %}{% else %}{{ message.content + '<|im_end|>\\n' }}{% endif %}{% endfor %}"
              "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
}


def marked(*said):
    """Statements whose output is generated where the message is the assistant's."""
    text = "".join(said)
    return "{%- if message.role == 'assistant' %}{%- generation %}" + text + "{%- endgeneration %}{%- else %}" + text + "{%- endif %}"


# What changes a template into one that renders the same and marks what the assistant says, from behind the generation prompt through the
# end-of-turn token.
CALLS = """{%- for call in message.tool_calls %}
            {%- set function = call.function if call.function is defined else call %}
            {{- '\\n<tool_call>\\n{"name": "' ~ function.name ~ '", "arguments": ' ~ function.arguments | tojson }}
            {{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}"""
MARKED = {
    "chatml": [("{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}",
                "{{- " + CHATML + " }}" + marked("{{- message['content'] + '<|im_end|>' }}") + "{{- '\\n' }}")],
    "llama-3": [("{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}",
                 "{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' }}" + marked("{{- message['content'] | trim + '<|eot_id|>' }}"))],
    "llama-3.1": [("{{- turn(message['role'], message['content'] | trim) }}",
                   "{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' }}" + marked("{{- message['content'] | trim + '<|eot_id|>' }}")),
                  ("{%- if builtin_tools is defined and call.name in builtin_tools %}",
                   "{%- generation %}{%- if builtin_tools is defined and call.name in builtin_tools %}"),
                  ("{{- '<|eom_id|>' if builtin_tools is defined else '<|eot_id|>' }}",
                   "{{- '<|eom_id|>' if builtin_tools is defined else '<|eot_id|>' }}{%- endgeneration %}")],
    "mistral": [("{{- ' ' + message['content'] + eos_token }}", "{%- generation %}{{- ' ' + message['content'] + eos_token }}{%- endgeneration %}")],
    "phi-3": [("{{- '<|' + message['role'] + '|>\\n' + message['content'] + '<|end|>\\n' }}",
               "{{- '<|' + message['role'] + '|>\\n' }}" + marked("{{- message['content'] + '<|end|>' }}") + "{{- '\\n' }}")],
    "qwen2.5": [("{{- '<|im_start|>assistant' }}\n        {%- if message.content %}\n            {{- '\\n' + message.content }}\n        {%- endif %}\n"
                 "        " + CALLS,
                 "{{- '<|im_start|>assistant\\n' }}{%- generation %}{%- if message.content %}{{- message.content }}{%- endif %}" +
                 CALLS.replace("{{- '\\n<tool_call>", "{%- if message.content or not loop.first %}{{- '\\n' }}{%- endif %}{{- '<tool_call>")
                 .replace("{{- '<|im_end|>\\n' }}", "{{- '<|im_end|>' }}{%- endgeneration %}{{- '\\n' }}")),
                ("{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}",
                 "{{- " + CHATML + " }}" + marked("{{- message.content + '<|im_end|>' }}") + "{{- '\\n' }}")],
    # The generation prompt has the empty thought where thinking is turned off.
    "qwen3": [("{%- if loop.index0 > asked.last and (loop.last or thoughts) %}\n            {{- '<think>\\n' + thoughts.strip('\\n')",
               "{%- set shown = loop.index0 > asked.last and (loop.last or thoughts) %}"
               "{%- set opened = shown and enable_thinking is defined and enable_thinking is false and not thoughts.strip('\\n') %}"
               "{%- if opened %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- generation %}{%- if opened %}{{- content.lstrip('\\n') }}"
               "{%- elif shown %}\n            {{- '<think>\\n' + thoughts.strip('\\n')"),
              ("{{- '}\\n</tool_call>' }}\n        {%- endfor %}\n        {{- '<|im_end|>\\n' }}",
               "{{- '}\\n</tool_call>' }}\n        {%- endfor %}{{- '<|im_end|>' }}{%- endgeneration %}{{- '\\n' }}")],
    "qwen1.5": [(" + message.content }}{% if (loop.last and add_generation_prompt) or not loop.last %}{{ '<|im_end|>\\n' }}{% endif %}",
                 " }}" + marked("{{ message.content }}{% if (loop.last and add_generation_prompt) or not loop.last %}{{ '<|im_end|>' }}{% endif %}") +
                 "{% if (loop.last and add_generation_prompt) or not loop.last %}{{ '\\n' }}{% endif %}")],
    "solar": [("{{ message.content }}", marked("{{ message.content }}"))],
    "glm": [("{{ message.content }}", marked("{{ message.content }}"))],
    "marked": [],
}
for _name, _first, _behind in (("llava", "{{ ' ' }}{% if", "{{ ' ' }}{% endfor %}"), ("parts", "{% if message.content is", "{{ '\\n' }}{% endfor %}"),
                               ("list", "{% for part", "{{ '\\n' }}{% endfor %}"), ("all", "{% for key", "{{ '\\n' }}{% endfor %}{% if add")):
    _said = OWN[_name][OWN[_name].index(_first):OWN[_name].index(_behind, OWN[_name].index(_first))]
    MARKED[_name] = [(_said, marked(_said))]

TAKE_LISTS = ("parts", "list", "llava")
END = {"chatml": "<|im_end|>", "qwen2.5": "<|im_end|>", "qwen3": "<|im_end|>", "llama-3": "<|eot_id|>", "llama-3.1": "<|eot_id|>", "mistral": "</s>",
       "phi-3": "<|endoftext|>", "qwen1.5": "<|im_end|>", "solar": "</s>", "glm": "<|endoftext|>", "llava": "</s>"}
BEGIN = {"llama-3": "<|begin_of_text|>", "llama-3.1": "<|begin_of_text|>", "mistral": "<s>"}  # the template's own first token; else none


class Tokenizers:
    def __init__(self, folder):
        self.folder, self.opened = folder, {}

    def tokenizer(self, special, post_processor=None):
        key = json.dumps([special, post_processor])
        if key not in self.opened:
            changes = {"tokenizer_config.json": special, "tokenizer.json": {"post_processor": post_processor} if post_processor else {}}
            with tempfile.TemporaryDirectory() as made:
                for name, change in changes.items():
                    with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                        content = {**json.load(file), **change}
                    with open(os.path.join(made, name), "w", encoding="utf-8") as file:
                        json.dump(content, file)
                self.opened[key] = AutoTokenizer.from_pretrained(made)
        return self.opened[key]


def source_of(template):
    if template in OWN:
        return OWN[template]
    with open(os.path.join(SHARE, template + ".jinja"), encoding="utf-8", newline="") as file:
        return file.read()


def marked_source_of(template):
    text = source_of(template)
    for old, new in MARKED[template]:
        assert text.count(old) == 1, (template, old)
        text = text.replace(old, new)
    return text


def as_read(row, template):
    """A row as the trainers' functions take it: null means absent, in rows as in messages; rule (f) of ours()."""
    present = {key: value for key, value in row.items() if value is not None}
    for key in MESSAGE_KEYS:
        if isinstance(present.get(key), list):
            present[key] = [{k: v for k, v in message.items() if v is not None} for message in present[key]]
            for message in present[key]:
                if template not in TAKE_LISTS and isinstance(message.get("content"), list):
                    message["content"] = "".join(part["text"] for part in message["content"])
    return present


def surroundings(row):
    """What stands beside the messages, for apply_chat_template. TRL passes no documents; it does as template variables."""
    tools = row.get("tools")
    variables = dict(row.get("chat_template_kwargs", {}))
    if "documents" in row:
        variables["documents"] = row["documents"]
    return json.loads(tools) if isinstance(tools, str) else tools, variables


def said_by_assistant(tokenizer, template, messages, tools, variables):
    """Ids of a conversation, and which of them the assistant generates, without turns of weight 0."""
    source, changed = source_of(template), marked_source_of(template)
    plain = tokenizer.apply_chat_template(messages, chat_template=source, tools=tools, tokenize=False, **variables)
    assert plain == tokenizer.apply_chat_template(messages, chat_template=changed, tools=tools, tokenize=False, **variables), (template, plain)
    encoded = tokenizer.apply_chat_template(messages, chat_template=changed, tools=tools, return_assistant_tokens_mask=True, **variables)
    ids, said = encoded["input_ids"], encoded["assistant_masks"]
    weights = [message.get("weight", 1) for message in messages if message["role"] == "assistant"]
    if 0 in weights:
        starts = [i for i, bit in enumerate(said) if bit and not (i and said[i - 1])]
        assert len(starts) == len(weights), template
        for start, end, weight in zip(starts, starts[1:] + [len(said)], weights):
            said[start:end] = [bit * int(weight) for bit in said[start:end]]
    return ids, said


def ours(tokenizer, ids, counted, conversation=None):
    """What we do otherwise than TRL, all of it. `conversation`: the messages of ids; None for plain strings.

    (a) Of a conversation only assistant turns count, through their end-of-turn token and without those of weight 0 (`counted` says so
        already: said_by_assistant). Tokens after the last that counts are left out.
    (b) No BOS token is added to a rendered conversation: tokenizers of the cases name none that the template does not write.
    (c) Where a template writes no end token behind the last answer, all that it writes behind it counts, and then the end token is
        appended and counted, for SFT of messages too.
    (d) The first token never counts: nothing predicts it.
    (e) The prompt of a pair is what both sides share of it (pairs() says so already); TRL masks each side's own.
    (f) To a template that does not take lists content goes as the texts of its parts, joined (as_read() does it); transformers gives it
        the list, which then fails or is printed as Python prints it.
    (g) Of a pair whose prompt ends with an answer no token of that answer counts (pairs() does it); TRL counts its end-of-turn token.
    """
    ids, counted = list(ids), list(counted)
    if conversation is not None and conversation[-1]["role"] == "assistant" and conversation[-1].get("weight", 1):
        last = max(i for i, bit in enumerate(counted) if bit)
        first = last
        while first > 0 and counted[first - 1]:
            first -= 1
        if not any(tokenizer.added_tokens_decoder[id].special for id in ids[first:last + 1] if id in tokenizer.added_tokens_decoder):
            counted[last + 1:] = [1] * (len(ids) - last - 1)
            if ids[-1] != tokenizer.eos_token_id:
                ids.append(tokenizer.eos_token_id)
                counted.append(1)
    counted[0] = 0
    end = max(i for i, bit in enumerate(counted) if bit) + 1
    return {"ids": ids[:end], "counted": "".join(map(str, counted[:end]))}


def chat(tokenizer, template, row):
    tools, variables = surroundings(row)
    return {"text": tokenizer.apply_chat_template(row["messages"], chat_template=source_of(template), tools=tools, tokenize=False, **variables)}


def prompt(tokenizer, template, row):
    tools, variables = surroundings(row)
    made = tokenizer.apply_chat_template(row["messages"], chat_template=source_of(template), tools=tools, add_generation_prompt=True, **variables)
    return {"ids": made["input_ids"]}


def sft(tokenizer, template, row):
    tools, variables = surroundings(row)
    conversational = is_conversational(row)
    trainer = SimpleNamespace(_tokenizer=tokenizer, chat_template=marked_source_of(template) if conversational else None,
                              completion_only_loss="completion" in row)
    args = SimpleNamespace(dataset_num_proc=None, dataset_text_field="text", assistant_only_loss=conversational, max_length=None, shuffle_dataset=False)
    rows = IterableDataset.from_generator(lambda: iter([{**row, "chat_template_kwargs": variables}]))  # a Dataset would add keys to messages
    made = next(iter(SFTTrainer._prepare_dataset(trainer, rows, tokenizer, args, False, None, "train")))
    ids, counted = made["input_ids"], [int(label != -100) for label in made["labels"]]
    if not conversational:
        return {"sequences": [ours(tokenizer, ids, counted)]}
    conversation = row["messages"] if "messages" in row else row["prompt"] + row["completion"]
    whole, said = said_by_assistant(tokenizer, template, conversation, tools, variables)
    assert whole == ids
    return {"sequences": [ours(tokenizer, ids, [a & b for a, b in zip(counted, said)], conversation)]}


def pairs(tokenizer, template, row):
    tools, variables = surroundings(row)
    columns = {key: row[key] for key in ("prompt", "chosen", "rejected") if key in row}  # TRL refuses pairs with "messages", as UltraFeedback has
    example = {**maybe_extract_prompt(columns), "chat_template_kwargs": variables}
    tokenizer.chat_template = source_of(template)
    # TRL leaves out empty lists of tools here. CPOTrainer takes none from the rows; others of its trainers do.
    rendered = maybe_apply_chat_template(example, tokenizer, tools or None)
    trainer = SimpleNamespace(processing_class=tokenizer, max_length=1 << 20, is_encoder_decoder=False)
    trainer.build_tokenized_answer = CPOTrainer.build_tokenized_answer.__get__(trainer)
    made = CPOTrainer.tokenize_row(trainer, rendered)
    sides = [made["chosen_input_ids"], made["rejected_input_ids"]]
    begin = min(sum(label == -100 for label in made[side + "_labels"]) for side in ("chosen", "rejected"))
    sequences = []
    for side, ids in zip(("chosen", "rejected"), sides):
        if is_conversational({"chosen": example["chosen"]}):
            conversation = example["prompt"] + example[side]
            whole, said = said_by_assistant(tokenizer, template, conversation, tools or None, variables)
            assert ids in (whole, whole + [tokenizer.eos_token_id]), (ids, whole)
            behind = begin
            while example["prompt"][-1]["role"] == "assistant" and said[behind]:
                behind += 1
            sequences.append(ours(tokenizer, whole, [0] * behind + said[behind:], conversation))
        else:
            sequences.append(ours(tokenizer, ids, [0] * begin + [1] * (len(ids) - begin)))
    return {"sequences": sequences}


FORMS = {"chat": chat, "prompt": prompt, "sft": sft, "pairs": pairs}


class Rows:
    def __init__(self, tokenizers, out):
        self.tokenizers, self.out, self.count = tokenizers, out, {}

    def write(self, case, form, template, row, refused, more):
        """A row of the file, unless `refused` is False and it is refused; returns whether it was."""
        special = {"eos_token": END.get(template, "<|im_end|>"), **({"bos_token": BEGIN[template]} if template in BEGIN else {}), **more}
        post_processor = special.pop("post_processor", None)
        if refused == "contract":
            expected = {"error": True, "why": "contract"}
        else:
            try:
                expected = FORMS[form](self.tokenizers.tokenizer(special, post_processor), template, as_read(row, template))
            except (jinja2.TemplateError, TypeError) as error:  # of templates; anything else is a mistake of ours
                expected = {"error": True, "why": f"{type(error).__name__}: {error}"[:100]}
        if "error" in expected and refused is False:
            return True
        made = {"case": case, "form": form, "template": template, "special": special, "row": row, "expected": expected}
        if post_processor:
            made["post_processor"] = post_processor
        self.out.write(json.dumps(made, separators=(",", ":")) + "\n")
        key = form + (" refused" if "error" in expected else "")
        self.count[key] = self.count.get(key, 0) + 1
        return "error" in expected

    def add(self, case, forms, templates, row, refused="", **more):
        """A case in each form with each template. `refused`: "templates" by these templates, "contract" by what we promise."""
        for template in templates.split():
            for form in forms.split():
                assert self.write(case, form, template, row, refused or None, more) == bool(refused), (case, form, template)


def system(content, **more):
    return {"role": "system", "content": content, **more}


def user(content, **more):
    return {"role": "user", "content": content, **more}


def assistant(content, **more):
    return {"role": "assistant", "content": content, **more}


def tool(content, **more):
    return {"role": "tool", "content": content, **more}


def parts(*texts):
    return [{"type": "text", "text": text} for text in texts]


def call(name, arguments, **more):
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


WEATHER = {"type": "function", "function": {"name": "get_weather", "description": "The weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}
COUNT = {"type": "function", "function": {"name": "count_words", "description": "Counts <words> & \"more\"", "parameters": {
    "type": "object", "properties": {"text": {"type": "string"}, "least": {"type": "integer", "default": None}}}}}
SHIPPED = "chatml llama-3 llama-3.1 mistral phi-3 qwen2.5 qwen3"
WITH_TOOLS = "llama-3.1 qwen2.5 qwen3"
NO_END = "qwen1.5 solar glm llava"
TALK = [user("What is the weather?"), assistant("It is warm.")]
TALKS = [user("Name a river."), assistant("The quiet one."), user("Another."), assistant("The old one.")]


def called(arguments, **more):
    """A question, a call, its result, an answer; `more` is of the message that calls."""
    return [user("Weather in Oslo?"), {"role": "assistant", "tool_calls": [call("get_weather", arguments, id="call_1")], **more},
            tool("{\"degrees\": 21}", name="get_weather", tool_call_id="call_1"), assistant("It is 21 degrees in Oslo.")]


def tool_cases(rows):
    oslo = {"city": "Oslo"}
    for name, forms, tools in (("list", "chat sft", [WEATHER]), ("JSON text", "chat prompt sft", json.dumps([WEATHER])), ("empty list", "chat prompt sft", [])):
        rows.add("tools as " + name, forms, WITH_TOOLS, {"messages": TALK, "tools": tools})
    for name, tools in (("list", [WEATHER]), ("JSON text", json.dumps([WEATHER]))):
        rows.add("tools as " + name, "sft", "qwen2.5", {"prompt": TALK[:1], "completion": TALK[1:], "tools": tools})
        rows.add("tools as " + name, "pairs", "llama-3.1 qwen2.5", {"prompt": TALK[:1], "chosen": TALK[1:], "rejected": [assistant("No idea.")], "tools": tools})
    rows.add("empty list of tools", "pairs", "qwen2.5 qwen3", {"prompt": TALK[:1], "chosen": TALK[1:], "rejected": [assistant("No idea.")], "tools": []})
    rows.add("tools that a template does not know", "prompt sft", "chatml mistral", {"messages": TALK, "tools": [WEATHER]})
    for name, content in (("null", {"content": None}), ("empty", {"content": ""}), ("absent", {}), ("a text", {"content": "Let me look."})):
        talk = called(oslo, **content)
        rows.add("call, content " + name, "sft", WITH_TOOLS, {"messages": talk})
        rows.add("call in a completion, content " + name, "sft", WITH_TOOLS, {"prompt": talk[:1], "completion": talk[1:]})
        rows.add("call in a pair, content " + name, "pairs", WITH_TOOLS, {"prompt": talk[:1], "chosen": talk[1:2], "rejected": [assistant("No idea.")]})
    # chatml.jinja drops calls; what it cannot render is an error.
    rows.add("call that a template drops", "sft", "chatml llama-3 phi-3", {"messages": called(oslo, content="")})
    for name, content in (("null", {"content": None}), ("absent", {})):
        rows.add("call that a template cannot render, content " + name, "chat sft", "chatml", {"messages": called(oslo, **content)}, refused="templates")
    for name, arguments in (("object", {"city": "Ål", "n": 3, "deep": {"a": [1, None, True]}}), ("JSON text", "{\"city\": \"Ål\", \"n\": 3}"), ("empty", {})):
        rows.add("arguments as " + name, "sft", WITH_TOOLS, {"messages": called(arguments, content=None)})
        talk = called(arguments, content=None)
        rows.add("arguments as " + name, "pairs", "qwen2.5", {"chosen": talk, "rejected": talk[:3] + [assistant("Cold.")], "tools": [WEATHER]})
    two = [user("Both, please."), {"role": "assistant", "content": "", "tool_calls": [call("get_weather", oslo), call("count_words", {"text": "a b"})]},
           tool("warm", name="get_weather"), tool("2", name="count_words"), assistant("Warm, and two.")]
    rows.add("two calls", "prompt sft", "qwen2.5 qwen3", {"messages": two, "tools": [WEATHER, COUNT]})
    rows.add("two calls", "chat sft", "llama-3.1", {"messages": two}, refused="templates")
    bare = called(oslo, content=None)
    bare[1]["tool_calls"] = [bare[1]["tool_calls"][0]["function"]]
    rows.add("call without its wrapping", "chat sft", "qwen2.5 qwen3", {"messages": bare})
    rows.add("no calls in the list", "sft", "qwen2.5 qwen3 chatml", {"messages": [user("Hi."), assistant("Hello.", tool_calls=[])]})
    rows.add("no calls in the list", "chat sft", "llama-3.1", {"messages": [user("Hi."), assistant("Hello.", tool_calls=[])]}, refused="templates")
    rows.add("result that is no text", "chat", "llama-3.1", {"messages": called(oslo)[:2] + [tool({"degrees": 21}), assistant("Warm.")]})
    rows.add("result in parts", "chat sft", "llama-3.1", {"messages": called(oslo)[:2] + [tool(parts("21", "degrees")), assistant("Warm.")]})
    rows.add("names of messages", "chat sft", "all", {"messages": [user("Hi.", name="Ada"), assistant("Yes?", name="bot"), tool("7", name="t", tool_call_id="c9"),
                                                                   assistant("Seven.")]})
    rows.add("key of one template", "chat sft", "all", {"messages": [user("Hi.", mood="good"), assistant("Hello.", mood=3)]})


def variable_cases(rows):
    for name, thinking in (("absent", None), ("on", True), ("off", False)):
        variables = {} if thinking is None else {"chat_template_kwargs": {"enable_thinking": thinking}}
        rows.add("thinking " + name, "chat prompt", "qwen3", {"messages": TALKS[:3], **variables})
        rows.add("thinking " + name, "sft", "qwen3", {"messages": TALKS, **variables})
        rows.add("thinking " + name, "sft", "qwen3", {"prompt": TALKS[:3], "completion": TALKS[3:], **variables})
        rows.add("thinking " + name, "pairs", "qwen3", {"prompt": TALKS[:3], "chosen": TALKS[3:], "rejected": [assistant("None.")], **variables})
        rows.add("thinking " + name, "pairs", "qwen3", {"chosen": TALKS, "rejected": TALKS[:3] + [assistant("None.")], **variables})
    rows.add("date", "chat sft", "llama-3.1", {"messages": TALK, "chat_template_kwargs": {"date_string": "1 May 2031"}})
    rows.add("tools of the model", "chat sft", "llama-3.1", {"messages": called({"city": "Oslo"}), "chat_template_kwargs": {"builtin_tools": ["get_weather"]}})
    rows.add("tools in the system turn", "prompt sft", "llama-3.1",
             {"messages": [system("Be brief.")] + TALK, "tools": [WEATHER], "chat_template_kwargs": {"tools_in_user_message": False}})
    rows.add("no variables", "prompt sft", "qwen3", {"messages": TALK, "chat_template_kwargs": {}})
    for key in ("reasoning_content", "reasoning", "thinking"):
        thought = [user("Add 2 and 2."), assistant("4", **{key: "Two and two.\nSo four."}), user("And 3?"), assistant("7", **{key: "Four and three."})]
        rows.add("thoughts as " + key, "sft", "qwen3 all", {"messages": thought})
        rows.add("thoughts as " + key, "sft", "qwen3", {"prompt": thought[:3], "completion": thought[3:]})
        rows.add("thoughts as " + key, "pairs", "qwen3", {"prompt": thought[:3], "chosen": thought[3:], "rejected": [assistant("8")]})
    spelled = [user("Add 2 and 2."), assistant("<think>\nTwo.\n</think>\n\n4"), user("And 3?"), assistant("<think>\nFour.\n</think>\n\n7")]
    rows.add("thoughts in the content", "chat sft", "qwen3 chatml", {"messages": spelled})
    calls = called({"city": "Oslo"}, content="", reasoning_content="I need the weather.")
    calls[3]["reasoning_content"] = "Now I know."
    rows.add("thoughts before a call", "chat sft", "qwen3", {"messages": calls, "tools": [WEATHER]})
    papers = [{"title": "Rivers", "text": "They are quiet."}, {"title": "Towns", "text": "They are old."}]
    rows.add("documents", "chat prompt sft", "all chatml", {"messages": TALK, "documents": papers})
    rows.add("documents", "sft", "all", {"prompt": TALK[:1], "completion": TALK[1:], "documents": papers})
    rows.add("documents", "pairs", "all", {"prompt": TALK[:1], "chosen": TALK[1:], "rejected": [assistant("No.")], "documents": papers})
    rows.add("no documents", "chat sft", "all", {"messages": TALK, "documents": []})


def content_cases(rows):
    listed = [system(parts("Be brief.")), user(parts("What is", " the weather?")), assistant(parts("It is ", "warm."))]
    rows.add("content in parts", "chat prompt sft", "parts list llava", {"messages": listed})
    rows.add("content in parts", "sft", "parts list llava", {"prompt": listed[:2], "completion": listed[2:]})
    rows.add("content in parts", "pairs", "parts list llava", {"prompt": listed[:2], "chosen": listed[2:], "rejected": [assistant(parts("Cold."))]})
    rows.add("content in parts", "pairs", "parts list", {"chosen": listed, "rejected": listed[:2] + [assistant(parts("Cold."))]})
    rows.add("texts and parts", "chat sft", "parts llava", {"messages": [user("One."), assistant(parts("Two.")), user(parts("Three.")), assistant("Four.")]})
    rows.add("parts for a template of texts", "chat sft", SHIPPED + " solar", {"messages": [user(parts("What", " is it?")), assistant(parts("Warm."))]})
    rows.add("parts for a template of texts", "pairs", "chatml qwen3", {"prompt": [user(parts("What is it?"))], "chosen": [assistant(parts("Warm."))],
                                                                       "rejected": [assistant("Cold.")]})
    picture = [user([{"type": "text", "text": "Look."}, {"type": "image", "url": "a.png"}]), assistant("I see.")]
    rows.add("a picture", "chat prompt sft", "parts qwen3", {"messages": picture}, refused="contract")
    rows.add("a picture", "pairs", "parts", {"prompt": picture[:1], "chosen": picture[1:], "rejected": [assistant("No.")]}, refused="contract")
    rows.add("a picture of OpenAI's form", "chat sft", "parts",
             {"messages": [user([{"type": "image_url", "image_url": {"url": "a.png"}}]), assistant("I see.")]}, refused="contract")
    nothing = {"name": None, "tool_calls": None, "tool_call_id": None, "reasoning_content": None, "weight": None}
    bare = [{"role": m["role"], "content": m["content"], **nothing} for m in [system("Be brief.")] + TALK]
    beside = {"tools": None, "documents": None, "chat_template_kwargs": None}
    rows.add("null in every key", "chat sft", "chatml llama-3.1 mistral qwen2.5 qwen3 all parts", {"messages": bare, **beside})
    rows.add("null in every key", "sft", "qwen3 llama-3.1", {"prompt": bare[:2], "completion": bare[2:], "messages": None, "text": None, **beside})
    rows.add("null in every key", "pairs", "qwen3 llama-3.1", {"prompt": bare[:2], "chosen": bare[2:], "rejected": [{**assistant("No."), **nothing}], **beside})
    rows.add("null on one side only", "pairs", "chatml", {"prompt": None, "chosen": bare, "rejected": [system("Be brief."), TALK[0], assistant("No.")]})
    rows.add("null in a call", "sft", WITH_TOOLS, {"messages": called({"city": None}, content=None, refusal=None)})
    rows.add("empty answer", "prompt", SHIPPED, {"messages": [user("Hi."), assistant(""), user("Well?")]})
    rows.add("roles in a row", "sft", "chatml llama-3 llama-3.1 phi-3 qwen2.5 qwen3 solar glm",
             {"messages": [user("One."), user("Two."), assistant("Three."), assistant("Four."), user("Five."), assistant("Six.")]})
    rows.add("a role that a template refuses", "chat prompt sft", "mistral", {"messages": [user("One."), user("Two."), assistant("Three.")]}, refused="templates")
    rows.add("a role that a template refuses", "sft", "mistral", {"prompt": [user("One."), user("Two.")], "completion": [assistant("3")]}, refused="templates")
    rows.add("a role that a template refuses", "pairs", "mistral", {"prompt": [tool("One.")], "chosen": [assistant("2")], "rejected": [assistant("3")]},
             refused="templates")
    rows.add("role of a developer", "prompt sft", "chatml llama-3 phi-3 qwen3", {"messages": [{"role": "developer", "content": "Be brief."}] + TALK})
    rows.add("lines and spaces", "prompt sft", SHIPPED, {"messages": [user("\n a\n\nb "), assistant("\nTwo lines:\n\n- x\n"), user(" c"), assistant("  d")]})
    rows.add("lines and spaces", "sft", SHIPPED, {"prompt": [user("\n a\n\nb ")], "completion": [assistant("\nTwo lines:\n\n- x\n")]})
    rows.add("lines and spaces", "pairs", "chatml llama-3 mistral qwen3",
             {"prompt": [user("\n a\n\nb ")], "chosen": [assistant("\nTwo lines.")], "rejected": [assistant(" One.")]})


def turn_cases(rows):
    every = SHIPPED + " " + NO_END + " marked"
    most = "chatml llama-3 mistral phi-3 qwen3 " + NO_END + " marked"
    rows.add("one turn", "chat sft", every, {"messages": TALK})
    rows.add("two turns", "sft", every, {"messages": TALKS})
    rows.add("completion of one turn", "sft", most, {"prompt": TALK[:1], "completion": TALK[1:]})
    rows.add("completion behind an answer", "sft", most, {"prompt": TALKS[:3], "completion": TALKS[3:]})
    rows.add("completion of two turns", "sft", most, {"prompt": TALKS[:1], "completion": TALKS[1:]})
    rows.add("pair of one turn", "pairs", most, {"prompt": TALK[:1], "chosen": TALK[1:], "rejected": [assistant("It rains.")]})
    rows.add("pair behind an answer", "pairs", most, {"prompt": TALKS[:3], "chosen": TALKS[3:], "rejected": [assistant("The rest.")]})
    rows.add("pair of two turns and one", "pairs", most, {"prompt": TALKS[:1], "chosen": TALKS[1:], "rejected": [assistant("No.")]})
    rows.add("a question last", "sft", most, {"messages": TALK + [user("Thanks. And now?")]})
    rows.add("another end token", "sft", "chatml qwen3", {"messages": TALKS}, eos_token="<|endoftext|>")
    rows.add("another end token", "pairs", "chatml qwen3", {"prompt": TALK[:1], "chosen": TALK[1:], "rejected": [assistant("No.")]}, eos_token="<|endoftext|>")
    rows.add("weight 1", "sft", "chatml llama-3", {"messages": [TALKS[0], {**TALKS[1], "weight": 1}, *TALKS[2:]]})
    weighed = [TALKS[0], {**TALKS[1], "weight": 0}, *TALKS[2:]]
    rows.add("weight 0 of the first turn", "sft", SHIPPED + " solar", {"messages": weighed})
    rows.add("weight 0 of the last turn", "sft", "chatml llama-3 mistral qwen3 solar", {"messages": [*TALKS[:3], {**TALKS[3], "weight": 0}]})
    rows.add("weight 0 in a completion", "sft", "chatml qwen3", {"prompt": weighed[:1], "completion": weighed[1:]})
    rows.add("weight 0 in a pair", "pairs", "chatml qwen3", {"prompt": weighed[:1], "chosen": weighed[1:], "rejected": [assistant("No.")]})
    rows.add("weight 0 in a prompt", "pairs", "chatml qwen3", {"prompt": weighed[:3], "chosen": weighed[3:], "rejected": [assistant("No.")]})
    for weight in (0.5, 2, "1"):
        rows.add(f"weight {weight!r}", "sft", "chatml", {"messages": [TALK[0], {**TALK[1], "weight": weight}]}, refused="contract")


def pair_cases(rows):
    other = [assistant("It rains.")]
    rows.add("implicit prompt", "pairs", "chatml llama-3.1 mistral phi-3 qwen2.5 qwen3 " + NO_END, {"chosen": TALK, "rejected": TALK[:1] + other})
    rows.add("implicit prompt with an answer in it", "pairs", "llama-3 mistral qwen3 " + NO_END, {"chosen": TALKS, "rejected": TALKS[:3] + other})
    # The sides' common beginning ends with an answer: TRL then leaves that open, and its end-of-turn token is the first that counts.
    rows.add("implicit prompt that ends with an answer", "pairs", "chatml llama-3 qwen2.5",
             {"chosen": TALKS, "rejected": TALKS[:2] + [user("More!"), assistant("The old one.")]})
    rows.add("prompt that ends with an answer", "pairs", "chatml", {"prompt": TALKS[:2], "chosen": TALKS[2:], "rejected": [assistant("And the old one.")]})
    rows.add("prompt that ends with an answer", "sft", "chatml qwen3 llama-3", {"prompt": TALKS[:2], "completion": [assistant("And the old one.")]})
    rows.add("one side goes on where the other ends", "pairs", "chatml qwen2.5", {"chosen": TALKS, "rejected": TALKS[:2]})
    rows.add("prompt, sides are whole conversations", "pairs", "chatml llama-3.1 mistral qwen3 glm",
             {"prompt": TALK[0]["content"], "prompt_id": "a1", "messages": TALK, "chosen": TALK, "rejected": TALK[:1] + other, "score_chosen": 8.5})
    rows.add("prompt, sides are whole conversations of four turns", "pairs", "chatml qwen3",
             {"prompt": TALKS[0]["content"], "chosen": TALKS, "rejected": TALKS[:3] + other})
    rows.add("calls in an implicit prompt", "pairs", WITH_TOOLS,
             {"chosen": called({"city": "Oslo"}), "rejected": called({"city": "Oslo"})[:3] + other})
    rows.add("thoughts on one side", "pairs", "qwen3", {"chosen": TALK[:1] + [assistant("Warm.", reasoning_content="June.")], "rejected": TALK[:1] + other})
    for begin in ("", "<s>"):
        def add(case, row, end="<|endoftext|>"):
            number = rows.tokenizers.tokenizer({}).convert_tokens_to_ids("<s>")
            first = {"bos_token": begin, "post_processor": leading(begin, number)} if begin else {}
            rows.add(case + (" behind a first token" if begin else ""), "pairs" if "chosen" in row else "sft", "chatml", row, eos_token=end, **first)
        add("strings", {"prompt": "The gardener waters", "completion": " the river."})
        add("strings", {"prompt": "The gardener waters", "chosen": " the river.", "rejected": " a plan."})
        add("a token across the seam", {"prompt": "The gard", "completion": "ener waters the river."})
        add("a token across the seam", {"prompt": "Please shor", "chosen": "ten it.", "rejected": "tener."})
        add("a token across the seam of one side", {"prompt": "The answ", "chosen": "er is.", "rejected": " is."})
        add("spaces at the seam", {"prompt": "The gardener waters ", "completion": "the river."})
        add("spaces at the seam", {"prompt": "The answer: ", "chosen": "twelve", "rejected": " three"})
        add("no prompt", {"prompt": "", "completion": "It is warm."})
        add("tokens spelled in strings", {"prompt": "<|im_start|>user\nHi.<|im_end|>\n<|im_start|>assistant\n", "completion": "Hello.<|im_end|>"}, "<|im_end|>")
        add("tokens spelled in strings", {"prompt": "<|im_start|>user\nHi.<|im_end|>\n", "chosen": "Hello.<|im_end|>", "rejected": "No."}, "<|im_end|>")
        add("a text", {"text": "The gardener waters the quiet river."})
        add("a text with its end", {"text": "Name: Ada<|endoftext|>", "id": 7, "prompt": None, "messages": None})
        add("implicit prompt of strings", {"chosen": "The answer: red", "rejected": "The answer: blue"})
        add("implicit prompt of strings, inside a word", {"chosen": "It is dry.", "rejected": "It is door."})
        add("implicit prompt of strings, one goes on", {"chosen": "It is do", "rejected": "It is door."})


# Random conversations.
WORDS = ["river", "the quiet town", "Über", "naïve", "漢字", "👍🏽", "e\u0301", "'q'", "\"d\"", "\\n", "{{ x }}", "x<y>&z", "a\nb", "- one\n- two", "3.5",
         "1234", "don't", "(see)", "[1]", "##", "two  blanks", "\u00a0", "Plan:"]
RANDOM_TEMPLATES = SHIPPED.split() + ["parts"]


def words(rng, least=1):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(least, 2)))


def value(rng, depth=0):
    made = rng.choice([words(rng), 0, -7, 2.5, True, None, "", [1, "a"], {"b": "c"}])
    return {"deep": value(rng, 1)} if depth == 0 and rng.random() < 0.15 else made


def random_call(rng):
    arguments = {key: value(rng) for key in rng.sample(["city", "n", "é", "text"], rng.randint(0, 2))}
    if rng.random() < 0.3:
        arguments = json.dumps(arguments, ensure_ascii=rng.random() < 0.5)
    made = call(rng.choice(["get_weather", "count_words"]), arguments)
    if rng.random() < 0.4:
        made["id"] = rng.choice(["call_1", None])
    return made


def random_content(rng, template, least=1):
    text = words(rng, least)
    if rng.random() < (0.4 if template == "parts" else 0.1):
        return parts(text, *(words(rng) for _ in range(rng.randint(0, 1))))
    return text


def random_messages(rng, template, form):
    messages = []
    if rng.random() < 0.4:
        messages.append(system(random_content(rng, template, 0)))
    elif rng.random() < 0.1:
        messages.append({"role": "developer", "content": random_content(rng, template)})
    for turn in range(rng.randint(1, 2)):
        for _ in range(max(rng.choice([1] * 8 + [0, 2]), turn == 0)):
            messages.append(user(random_content(rng, template)))
        if rng.random() < (0.4 if template in WITH_TOOLS.split() + ["parts"] else 0.1):
            calls = [random_call(rng) for _ in range(rng.choice([1, 1, 1, 2]))]
            content = rng.choice([{"content": None}, {"content": ""}, {}, {"content": words(rng)}])
            messages.append({"role": "assistant", **content, "tool_calls": calls})
            if rng.random() < 0.2 and template == "qwen3":
                messages[-1]["reasoning_content"] = words(rng)
            for one in calls:
                messages.append(tool(words(rng), name=one["function"]["name"]))
                if rng.random() < 0.5:
                    messages[-1]["tool_call_id"] = rng.choice(["call_1", None])
        for _ in range(rng.choice([1] * 9 + [2])):
            said = random_content(rng, template)
            if rng.random() < 0.2 and isinstance(said, str):
                said = "<think>\n" + words(rng) + "\n</think>\n\n" + said
            messages.append(assistant(said))
            if rng.random() < 0.2:
                messages[-1][rng.choice(["reasoning_content", "reasoning"])] = words(rng)
    if rng.random() < (0.15 if form == "sft" else 0.5):
        messages.append(user(random_content(rng, template)))
    for message in messages:
        for key in ("name", "tool_calls", "reasoning_content"):
            if key not in message and rng.random() < 0.05:
                message[key] = None
    return messages


def random_row(rng, template, form):
    row = {"messages": random_messages(rng, template, form)}
    if rng.random() < (0.5 if template in WITH_TOOLS.split() else 0.15):
        row["tools"] = rng.choice([[WEATHER], [COUNT], [COUNT], [], None])
        if rng.random() < 0.3 and row["tools"]:
            row["tools"] = json.dumps(row["tools"])
    thinks = any("<think>" in str(m.get("content")) or m.get("reasoning_content") or m.get("reasoning") for m in row["messages"])
    if template == "qwen3" and rng.random() < 0.5:
        row["chat_template_kwargs"] = {"enable_thinking": thinks or rng.random() < 0.4}  # thoughts without thinking are not asked for
    if template == "llama-3.1" and rng.random() < 0.3:
        row["chat_template_kwargs"] = rng.choice([{"date_string": "1 May 2031"}, {"tools_in_user_message": False}])
    return row


def random_cases(rows, count=200, seed=31):
    rng = random.Random(seed)
    refused = dict.fromkeys(RANDOM_TEMPLATES, 0)
    made = 0
    while made < count:
        template, form = RANDOM_TEMPLATES[made % len(RANDOM_TEMPLATES)], rng.choice(["prompt", "sft"])
        full = (refused[template] + 1) * 4 * len(RANDOM_TEMPLATES) > count  # a quarter are refused; then others are drawn
        if rows.write("random", form, template, random_row(rng, template, form), False if full else None, {}):
            if full:
                continue
            refused[template] += 1
        made += 1
    print("random conversations refused:", refused)


def main():
    folder = sys.argv[1]
    tokenizer = os.path.join(folder, "tokenizer")
    if not os.path.exists(tokenizer):
        make_tokenizer(tokenizer)
    os.makedirs(os.path.join(folder, "templates"), exist_ok=True)
    for name, text in OWN.items():
        with open(os.path.join(folder, "templates", name + ".jinja"), "w", encoding="utf-8") as file:
            file.write(text)
    with open(os.path.join(folder, "conversations.jsonl"), "w", encoding="utf-8") as out:
        rows = Rows(Tokenizers(tokenizer), out)
        for cases in (tool_cases, variable_cases, content_cases, turn_cases, pair_cases, random_cases):
            cases(rows)
    print(rows.count, "rows")


main()
