// Tables that scroll can be reached by keyboard; the theme wraps them after the page is loaded.
const reachable = () => document.querySelectorAll(".md-typeset__scrollwrap").forEach((wrap) => { wrap.tabIndex = 0; });
new MutationObserver(reachable).observe(document.body, { childList: true, subtree: true });
reachable();
