"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector) => [...document.querySelectorAll(selector)];

  const select = (number) => {
    const view = document.querySelector(`[data-view="${number}"]`);
    if (!view) return false;
    for (const other of all("[data-view]")) other.classList.toggle("is-shown", other === view);
    for (const row of all("[data-row]")) {
      const isSelected = row.dataset.row === number;
      row.classList.toggle("is-selected", isSelected);
      // The row comes into sight within its table; the page stays where it is.
      const box = row.closest(".tall");
      const top = row.offsetTop - row.offsetHeight;
      if (isSelected && (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 3 * row.offsetHeight)) {
        box.scrollTop = top - box.clientHeight / 2;
      }
    }
    for (const pick of all("[data-pick]")) {
      if (pick.hasAttribute("data-step")) continue;
      const isSelected = pick.dataset.pick === number;
      pick.classList.toggle("is-selected", isSelected);
      if (isSelected) pick.setAttribute("aria-current", "true");
      else pick.removeAttribute("aria-current");
      // One stop of the tab key for the whole chart: the arrow keys move within it.
      if (pick.closest("svg")) pick.setAttribute("tabindex", isSelected ? "0" : "-1");
    }
    // Some browsers refuse to change the address of a file.
    try { history.replaceState(null, "", `#formula-${number}`); } catch (error) { void error; }
    return true;
  };

  const say = (text) => { document.getElementById("said").textContent = text; };

  const shown = () => document.querySelector("[data-view].is-shown");

  const go = (number, isFar) => {
    if (!select(number)) return;
    say(`${shown().querySelector("h2").textContent} is shown`);
    if (isFar || innerWidth < 760) shown().scrollIntoView({ block: "start" });
  };

  const step = (by) => {
    const numbers = all("[data-view]").map((view) => view.dataset.view);
    const next = numbers[numbers.indexOf(shown().dataset.view) + by];
    if (next !== undefined && select(next)) {
      say(`${shown().querySelector("h2").textContent} is shown`);
      return next;
    }
    return undefined;
  };

  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copy);
    const label = button.textContent;
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch (error) {
      void error;
      // Without the clipboard the text is shown and marked, ready for the keys that copy.
      const details = source.closest("details");
      if (details) details.open = true;
      getSelection().selectAllChildren(source);
      isCopied = document.execCommand("copy");
    }
    button.textContent = isCopied ? "Copied" : "Marked: copy it";
    say(button.textContent);
    setTimeout(() => { button.textContent = label; }, 1500);
  };

  const start = () => {
    document.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      const button = event.target.closest("[data-copy]");
      if (button) { copy(button); return; }
      const pick = event.target.closest("[data-pick]");
      const row = event.target.closest("[data-row]");
      if (!pick && !row) return;
      event.preventDefault();
      go(pick ? pick.dataset.pick : row.dataset.row, pick ? pick.hasAttribute("data-step") : false);
    });
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const pick = event.target.closest && event.target.closest("svg [data-pick]");
      // Outside the chart, up and down scroll the page.
      const steps = pick ? { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 } : { ArrowRight: 1, ArrowLeft: -1 };
      const by = steps[event.key];
      if (by === undefined || (!pick && event.target.closest(".scroll:not(.tall)"))) return;
      event.preventDefault();
      const next = step(by);
      if (pick && next !== undefined) document.querySelector(`svg [data-pick="${next}"]`).focus();
    });
    addEventListener("hashchange", () => {
      const found = /^#formula-(\d+)$/.exec(location.hash);
      if (found) go(found[1], true);
    });
    const found = /^#formula-(\d+)$/.exec(location.hash);
    const first = found ? found[1] : shown().dataset.view;
    if (found) { if (!select(first)) select(shown().dataset.view); } else {
      const address = location.href;
      select(first);
      try { history.replaceState(null, "", address); } catch (error) { void error; }
    }
  };

  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();
