// Draws the records of the page. They stand in script elements of text, a line of JSON each: ["kind", [[indent, spans, beside]]].
// A line is parsed when it is shown or searched for the first time. Texts only ever become text nodes.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  // By the numbers of the tones of view/page.h: the element and the class of a span.
  const tones = [["span", ""], ["strong", "title"], ["b", "label"], ["span", "quiet"], ["span", "good"], ["span", "bad"],
    ["ins", ""], ["del", ""]];
  const removed = 7;
  const mostAtOnce = 20000; // characters of a text that are drawn before somebody asks for more

  const files = Array.from(document.querySelectorAll("script.records"), (node) => ({
    node, run: node.dataset.run, name: node.dataset.file, kinds: node.dataset.kinds.split(" ").filter(Boolean),
    count: Number(node.dataset.count), text: null, starts: [], texts: [],
  })).filter((file) => file.count > 0);
  const severalRuns = new Set(files.map((file) => file.run)).size > 1;

  // Line breaks are looked for as far as they are needed: a page shows a few records of some ten thousand.
  const lineOf = (file, i) => {
    if (file.text === null) {
      file.text = file.node.textContent;
      file.starts.push(1); // after the line break behind the start tag
    }
    while (file.starts.length <= i + 1) file.starts.push(file.text.indexOf("\n", file.starts.at(-1)) + 1);
    return file.text.slice(file.starts[i], file.starts[i + 1] - 1);
  };
  const blocksOf = (file, i) => JSON.parse(lineOf(file, i))[1];
  const textOf = (span) => typeof span === "string" ? span : span[1];

  // What is searched: the texts of a record, and of a word diff the words of the revision without the removed ones, too.
  const searched = (file, i) => {
    if (file.texts[i] === undefined) {
      let text = "";
      for (const block of blocksOf(file, i)) {
        for (const spans of block.slice(1)) {
          text += spans.map(textOf).join("") + "\n";
          if (spans.some((span) => span[0] === removed))
            text += spans.filter((span) => span[0] !== removed).map(textOf).join("") + "\n";
        }
      }
      file.texts[i] = text.toLowerCase();
    }
    return file.texts[i];
  };

  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const drawText = (parent, text) => {
    if (text.length <= mostAtOnce) {
      parent.append(text);
      return;
    }
    const start = document.createTextNode(text.slice(0, mostAtOnce));
    const more = element("button", "", "Show all " + text.length.toLocaleString("en") + " characters");
    more.type = "button";
    more.addEventListener("click", () => {
      start.data = text;
      more.remove();
    });
    parent.append(start, " ", more);
  };
  const drawSpans = (parent, spans) => {
    for (const span of spans) {
      if (typeof span === "string") {
        drawText(parent, span);
        continue;
      }
      const [tag, className] = tones[span[0]] || tones[0];
      const inner = element(tag, className);
      drawText(inner, span[1]);
      parent.append(inner);
    }
  };
  const drawBlock = ([indent, spans, beside]) => {
    if (!spans.length && !beside) return element("div", "blank");
    const block = element("div", beside ? "block beside" : "block");
    block.dir = "auto";
    block.style.setProperty("--indent", indent);
    if (!beside) {
      drawSpans(block, spans);
      return block;
    }
    for (const side of [spans, beside]) {
      const half = element("div");
      drawSpans(half, side);
      block.append(half);
    }
    return block;
  };
  const drawRecord = (file, i, number) => {
    const article = element("article", "record");
    const [heading, ...rest] = blocksOf(file, i);
    const title = element("h3", "", heading[1].map(textOf).join(""));
    title.id = "record-" + number;
    article.setAttribute("aria-labelledby", title.id);
    article.append(title, element("p", "place", (severalRuns ? file.run + ", " : "") + file.name + ", record " +
      (i + 1).toLocaleString("en")), ...rest.map(drawBlock));
    return article;
  };

  // Records that are chosen, file by file; `rows` is null where they are all of the file's.
  let chosen = [], total = 0, page = 0, searching = 0;

  const chooseByKind = (file, kind) => {
    if (!kind || (file.kinds.length === 1 && file.kinds[0] === kind)) return { file, rows: null, count: file.count };
    if (!file.kinds.includes(kind)) return { file, rows: [], count: 0 };
    const start = "[\"" + kind + "\"", rows = [];
    for (let i = 0; i < file.count; ++i) if (lineOf(file, i).startsWith(start)) rows.push(i);
    return { file, rows, count: rows.length };
  };
  const say = (text) => { byId("status").textContent = text; };
  const draw = () => {
    const size = Number(byId("size").value), pages = Math.max(1, Math.ceil(total / size));
    page = Math.min(Math.max(0, page), pages - 1);
    const articles = [];
    let skip = page * size;
    for (const { file, rows, count } of chosen) {
      for (let i = skip; i < count && articles.length < size; ++i)
        articles.push(drawRecord(file, rows ? rows[i] : i, articles.length + 1));
      skip = Math.max(0, skip - count);
    }
    byId("shown").replaceChildren(...articles);
    byId("page").value = page + 1;
    byId("page").max = pages;
    for (const id of ["first", "previous"]) byId(id).disabled = page === 0;
    for (const id of ["next", "last"]) byId(id).disabled = page === pages - 1;
    say(total === 0 ? "No record is like this." : "Records " + (page * size + 1).toLocaleString("en") + " to " +
      (page * size + articles.length).toLocaleString("en") + " of " + total.toLocaleString("en") + ", page " + (page + 1) +
      " of " + pages.toLocaleString("en"));
  };
  const settle = (found) => {
    chosen = found;
    total = found.reduce((sum, one) => sum + one.count, 0);
    page = 0;
    draw();
  };
  // A search of many records gives the browser time to answer keys in between; another one ends it.
  const choose = async () => {
    const mine = ++searching, query = byId("search").value.toLowerCase();
    const within = files.filter((file) => (!byId("run").value || file.run === byId("run").value) &&
      (!byId("file").value || file.name === byId("file").value)).map((file) => chooseByKind(file, byId("kind").value));
    if (!query) {
      settle(within);
      return;
    }
    const found = [];
    let rest = performance.now();
    for (const { file, rows, count } of within) {
      const matching = [];
      for (let i = 0; i < count; ++i) {
        const row = rows ? rows[i] : i;
        if (searched(file, row).includes(query)) matching.push(row);
        if (performance.now() - rest < 30) continue;
        say("Searching " + file.name + " …");
        await new Promise((resolve) => setTimeout(resolve));
        if (mine !== searching) return;
        rest = performance.now();
      }
      found.push({ file, rows: matching, count: matching.length });
    }
    settle(found);
  };

  const fill = (id, all, names) => {
    const select = byId(id), before = select.value;
    select.replaceChildren(new Option(all, ""), ...names.map((name) => new Option(name, name)));
    select.value = names.includes(before) ? before : "";
  };
  const distinct = (names) => Array.from(new Set(names));
  const fillFiles = () => {
    const run = byId("run").value;
    fill("file", "all files", distinct(files.filter((file) => !run || file.run === run).map((file) => file.name)));
  };

  if (!files.length) {
    byId("shown").append(element("p", "note", "There are no records."));
    return;
  }
  fill("run", "all runs", distinct(files.map((file) => file.run)));
  fillFiles();
  fill("kind", "all kinds", distinct(files.flatMap((file) => file.kinds)).sort());
  byId("browser").hidden = byId("pager").hidden = false;
  byId("browser").addEventListener("submit", (event) => event.preventDefault());
  let typed = 0;
  byId("search").addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(choose, 200);
  });
  byId("run").addEventListener("change", () => {
    fillFiles();
    choose();
  });
  for (const id of ["file", "kind"]) byId(id).addEventListener("change", choose);
  byId("size").addEventListener("change", () => {
    page = 0;
    draw();
  });
  const turnTo = (number) => {
    page = number;
    draw();
  };
  byId("first").addEventListener("click", () => turnTo(0));
  byId("previous").addEventListener("click", () => turnTo(page - 1));
  byId("next").addEventListener("click", () => turnTo(page + 1));
  byId("last").addEventListener("click", () => turnTo(Infinity));
  byId("page").addEventListener("change", () => turnTo(Math.floor(Number(byId("page").value) || 1) - 1));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey ||
        /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    byId("search").focus();
  });
  choose();
})();
