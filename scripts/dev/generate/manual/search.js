// The search of the manual. It finds the sections that have all words. It also works if the pages are opened as files.
"use strict";

(() => {
  const MAX_FOUND = 30;
  const form = document.querySelector('form[role="search"]');
  const input = form.querySelector("input");
  const list = document.querySelector(".found");
  const status = document.querySelector("[role=status]");

  const rank = (section, words) => {
    const title = section.title.toLowerCase();
    const text = section.text.toLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word))) return 0;
    return 1 + words.filter((word) => title.includes(word)).length;
  };

  const excerpt = (text, word) => {
    const start = Math.max(text.toLowerCase().indexOf(word) - 40, 0);
    return (start ? "… " : "") + text.slice(start, start + 140) + (start + 140 < text.length ? " …" : "");
  };

  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.replaceChildren();
    if (!words.length) {
      status.textContent = "";
      return;
    }
    const found = SECTIONS.map((section) => [rank(section, words), section]).filter(([points]) => points)
      .sort(([one], [other]) => other - one);
    for (const [, section] of found.slice(0, MAX_FOUND)) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const text = document.createElement("p");
      link.href = section.address;
      link.textContent = section.page === section.title ? section.title : `${section.page}: ${section.title}`;
      text.textContent = excerpt(section.text, words[0]);
      item.append(link, text);
      list.append(item);
    }
    status.textContent = found.length === 1 ? "1 section" : `${found.length} sections`;
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", show);
})();
