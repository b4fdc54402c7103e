"use strict";
// Sources become lines when they are opened, a few hundred at a time, so that nothing else waits. Buttons copy text.
(() => {
  const CHUNK = 250;
  const MARKS = { ran: ["+", "ran"], missed: ["−", "did not run"], partly: ["!", "went only one way"], none: [" ", ""] };

  function states({ text, statements, missed }) {
    const lines = text.split("\n").map((text) => ({ text, state: "none", notes: [] }));
    for (const [first, last, ran] of statements) {
      for (let line = first; line <= last && line <= lines.length; line++) {
        const at = lines[line - 1];
        at.state = ran ? (at.state === "missed" ? "partly" : "ran") : at.state === "ran" ? "partly" : "missed";
      }
    }
    for (const [line, column, note] of missed) {
      const at = lines[line - 1];
      if (at) {
        at.state = "partly";
        at.notes.push([column, note]);
      }
    }
    return lines;
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function row(line, index) {
    const made = document.createElement("div");
    made.className = `line ${line.state}`;
    made.dataset.line = index + 1;
    const [mark, meaning] = MARKS[line.state];
    const sign = element("span", "sign", mark);
    if (meaning) sign.title = meaning;
    made.append(element("span", "number", index + 1), sign, element("code", "", line.text || " "));
    for (const [, note] of line.notes) made.append(element("p", "branch", note));
    return made;
  }

  function show(details) {
    const target = details.querySelector(".code");
    if (details.dataset.shown) return Promise.resolve();
    details.dataset.shown = "1";
    const lines = states(JSON.parse(details.querySelector("script").textContent));
    return new Promise((done) => {
      let next = 0;
      const more = () => {
        const part = document.createElement("div");
        part.className = "part";
        part.style.containIntrinsicSize = `auto ${Math.min(CHUNK, lines.length - next) * 1.2}rem`;
        for (const end = Math.min(next + CHUNK, lines.length); next < end; next++) part.append(row(lines[next], next));
        target.append(part);
        if (next < lines.length) setTimeout(more);
        else done();
      };
      more();
    });
  }

  async function reveal(details, line) {
    for (let at = details; at; at = at.parentElement.closest("details")) at.open = true;
    await show(details);
    const at = line && details.querySelector(`.line[data-line="${line}"]`);
    (at || details).scrollIntoView({ block: at ? "center" : "start" });
    details.querySelectorAll(".here").forEach((other) => other.classList.remove("here"));
    if (at) at.classList.add("here");
    details.querySelector("summary").focus({ preventScroll: true });
  }

  const sources = document.querySelectorAll("details.source");
  for (const details of sources) details.addEventListener("toggle", () => details.open && show(details));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#source-']");
    const details = link && document.getElementById(link.getAttribute("href").slice(1));
    if (!details) return;
    event.preventDefault();
    reveal(details, link.dataset.line);
  });
  // The clipboard may be closed to a page that is a file. Then the text is at least selected.
  async function copy(button) {
    const source = document.getElementById(button.dataset.copies);
    const status = button.parentElement.querySelector("[role=status]");
    getSelection().selectAllChildren(source);
    const written = await navigator.clipboard?.writeText(source.textContent).then(
      () => true,
      () => false,
    );
    const isCopied = written || document.execCommand("copy");
    status.textContent = isCopied ? "Copied" : "Selected; copy it with the keyboard";
  }
  for (const button of document.querySelectorAll("button[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  // What is closed is not printed.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not(.source):not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
})();
