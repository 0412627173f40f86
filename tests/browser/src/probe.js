// What a person finds on a page: elements by role and accessible name, and the text that can be seen.
// Arguments: [role, name, exact]; returns the visible elements with that role whose name contains (or is) `name`.
const [wantedRole, wantedName, exact] = arguments;
const ofInput = { checkbox: "checkbox", radio: "radio", button: "button", submit: "button", reset: "button", range: "slider",
  number: "spinbutton", search: "searchbox", file: "button" };
const ofTag = { BUTTON: "button", TEXTAREA: "textbox", OPTION: "option", SUMMARY: "button", H1: "heading", H2: "heading",
  H3: "heading", H4: "heading", LI: "listitem", UL: "list", OL: "list", TABLE: "table", TR: "row", TD: "cell", TH: "columnheader",
  DIALOG: "dialog", MAIN: "main", NAV: "navigation", FORM: "form", OUTPUT: "status", PROGRESS: "progressbar" };
const tidy = text => (text || "").replace(/\s+/g, " ").trim();
function roleOf(e) {
  if (e.getAttribute("role")) return e.getAttribute("role");
  if (e.tagName === "INPUT") return ofInput[e.type] || "textbox";
  if (e.tagName === "SELECT") return e.multiple || e.size > 1 ? "listbox" : "combobox";
  if (e.tagName === "A") return e.hasAttribute("href") ? "link" : "";
  return ofTag[e.tagName] || "";
}
function textOf(e) {
  let text = "";
  for (const child of e.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) text += child.data;
    else if (child.nodeType === Node.ELEMENT_NODE && child.getAttribute("aria-hidden") !== "true")
      text += " " + (child.getAttribute("aria-label") || textOf(child)) + " ";
  }
  return text;
}
function nameOf(e) {
  const by = (e.getAttribute("aria-labelledby") || "").split(/\s+/).map(id => document.getElementById(id)).filter(Boolean);
  const labels = e.labels ? [...e.labels] : [];
  return tidy(by.map(textOf).join(" ")) || tidy(e.getAttribute("aria-label")) || tidy(labels.map(textOf).join(" ")) ||
    tidy(e.getAttribute("alt")) || tidy(textOf(e)) || tidy(e.getAttribute("title")) || tidy(e.getAttribute("placeholder"));
}
const candidates = "[role],a[href],button,textarea,input,select,option,summary,h1,h2,h3,h4,li,ul,ol,table,tr,td,th,dialog,main,nav,form,output,progress";
const wanted = tidy(wantedName).toLowerCase();
return [...document.querySelectorAll(candidates)].filter(e => {
  if (roleOf(e) !== wantedRole || e.closest("[inert],[aria-hidden=true]")) return false;
  const name = nameOf(e).toLowerCase();
  if (!(exact ? name === wanted : name.includes(wanted))) return false;
  return e.tagName === "OPTION" || e.checkVisibility({ visibilityProperty: true });
});
