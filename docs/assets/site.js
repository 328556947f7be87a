// Tables that scroll can be reached by keyboard; the theme wraps them after the page is loaded.
const reachable = () => document.querySelectorAll(".md-typeset__scrollwrap").forEach((wrap) => { wrap.tabIndex = 0; });
new MutationObserver(reachable).observe(document.body, { childList: true, subtree: true });
reachable();

// What is copied from a session is its code, without prompts and answers, ready to be pasted into Python. A selection
// without a prompt, such as one of an answer alone, is copied as it is.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (!selection.rangeCount) return;
  const range = selection.getRangeAt(0);
  const node = range.commonAncestorContainer;
  const within = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  const part = range.cloneContents();
  if (!within.closest(".highlight") || !part.querySelector(".gp")) return;
  const code = [];
  part.textContent.split("\n").forEach((line, number) => {
    const first = line.startsWith(">>> ");
    if (first && code.length && code.at(-1).startsWith(" ")) code.push(""); // ends a loop, or the body of a function
    if (first || line.startsWith("... ")) code.push(line.slice(4));
    else if (number === 0) code.push(line); // the selection began behind the prompt
  });
  event.clipboardData.setData("text/plain", `${code.join("\n")}\n`);
  event.preventDefault();
});
