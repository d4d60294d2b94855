// Texts of other template languages in ours. What has no counterpart stays as it is, to be seen, and is named.

/** `left`: what stays, each once. */
export type LiquidText = { readonly text: string; readonly left: readonly string[] };

/** Where the text of a campaign goes in a template that frames it. */
export const CONTENT_PLACE = "<!-- The text of the email goes here. -->";

/** The marks at its ends trim space. */
const TAG = /\{\{-?([^{}]*)\}\}/g;

/** `isOurs`: its tags are said in our language. */
type GoBlock = { readonly name: "if" | "for" | "other"; readonly isOurs: boolean };

/** Templates of Go, as listmonk has them. */
export function fromGo(source: string): LiquidText {
  const left = new Set<string>();
  const blocks: GoBlock[] = [];
  const text = source
    .replace(/@TrackLink\b/g, "")
    .replace(TAG, (tag: string, inner: string) => {
      const said = actionIn(inner.replace(/-$/, "").trim(), blocks);
      if (said === null) left.add(tag);
      return said ?? `{% raw %}${tag}{% endraw %}`;
    })
    .replaceAll("{{ unsubscribeUrl }}?manage=true", "{{ manageUrl }}");
  return { text, left: [...left] };
}

/** Null = it cannot be said in our language. */
function actionIn(code: string, blocks: GoBlock[]): string | null {
  if (code.startsWith("/*")) return "";
  const [word = "", ...rest] = code.split(/\s+/);
  const after = rest.join(" ");
  const isInLoop = blocks.some(({ name, isOurs }) => name === "for" && isOurs);
  const begin = (name: GoBlock["name"], said: string | null) => {
    blocks.push({ name, isOurs: said !== null });
    return said && `{% ${name} ${said} %}`;
  };
  if (word === "if") return begin("if", conditionIn(after, isInLoop));
  if (word === "range") {
    const list = isInLoop ? null : valueIn(after, false);
    return begin("for", list && `item in ${list}`);
  }
  if (["with", "block", "define"].includes(word)) return begin("other", null);
  if (word === "else") return blocks.at(-1)?.isOurs ? elseOf(after, isInLoop) : null;
  if (word !== "end") return callOf(word, after) ?? outputOf(code, isInLoop);
  const block = blocks.pop();
  return block?.isOurs ? `{% end${block.name} %}` : null;
}

function elseOf(after: string, isInLoop: boolean): string | null {
  if (after === "") return "{% else %}";
  const condition = after.startsWith("if ") ? conditionIn(after.slice(3), isInLoop) : null;
  return condition && `{% elsif ${condition} %}`;
}

const URLS: Readonly<Record<string, string>> = {
  UnsubscribeURL: "{{ unsubscribeUrl }}",
  ManageURL: "{{ manageUrl }}",
  TrackView: "",
};

/** A function of listmonk. */
function callOf(word: string, after: string): string | null {
  if (Object.hasOwn(URLS, word)) return URLS[word] as string;
  const [, text] = /^"([^"]*)"/.exec(after) ?? [];
  if (text === undefined) return null;
  if (word === "TrackLink" || word === "Safe") return text;
  if (word === "template" && text === "content") return CONTENT_PLACE;
  return word === "Date" ? `{{ "now" | date: "${dateForm(text)}" }}` : null;
}

function outputOf(code: string, isInLoop: boolean): string | null {
  if (code === ".Subscriber.FirstName") return '{{ name | split: " " | first }}';
  const value = valueIn(code, isInLoop);
  return value && `{{ ${value} }}`;
}

const COMPARISONS: Readonly<Record<string, string>> = { eq: "==", ne: "!=", gt: ">", lt: "<", ge: ">=", le: "<=" };

function conditionIn(code: string, isInLoop: boolean): string | null {
  const [word = "", one = "", other = "", ...more] = code.match(/"[^"]*"|\S+/g) ?? [];
  if (word === "not" && other === "") {
    const value = valueIn(one, isInLoop);
    return value && `${value} == nil or ${value} == false`;
  }
  if (!Object.hasOwn(COMPARISONS, word)) return one === "" ? valueIn(word, isInLoop) : null;
  const [first, second] = [valueIn(one, isInLoop), valueIn(other, isInLoop)];
  return first === null || second === null || more.length > 0 ? null : `${first} ${COMPARISONS[word]} ${second}`;
}

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^\.Subscriber\.Email$/, "email"],
  [/^\.Subscriber\.Name$/, "name"],
  [/^\.(?:Subscriber\.Attribs|Tx\.Data)\.([A-Za-z_][\w.]*)$/, "$1"],
];

/** A value, as `isInLoop` means it: then `.` is the item. */
function valueIn(code: string, isInLoop: boolean): string | null {
  if (/^("[^"]*"|-?\d+(\.\d+)?|true|false)$/.test(code)) return code;
  const known = NAMES.find(([pattern]) => pattern.test(code));
  if (known) return code.replace(...known);
  if (!isInLoop) return null;
  return code === "." ? "item" : /^\.[a-z_][\w.]*$/.test(code) ? `item${code}` : null;
}

const DATE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/2006/g, "%Y"],
  [/January/g, "%B"],
  [/Jan/g, "%b"],
  [/Monday/g, "%A"],
  [/Mon/g, "%a"],
  [/01/g, "%m"],
  [/02/g, "%d"],
  [/15/g, "%H"],
  [/04/g, "%M"],
  [/05/g, "%S"],
];

/** Go writes forms of dates by an example. */
function dateForm(example: string): string {
  return DATE_PARTS.reduce((form, [pattern, part]) => form.replace(pattern, part), example);
}

const BREVO_LINKS: Readonly<Record<string, string>> = {
  unsubscribe: "{{ unsubscribeUrl }}",
  update_profile: "{{ manageUrl }}",
  mirror: "",
};

/** Templates of Brevo: their names have a place before them, and the rest is near to ours. */
export function fromBrevo(source: string): LiquidText {
  const left = new Set<string>();
  const text = source.replace(/\{\{([^{}]*)\}\}|\{%([^{}]*)%\}/g, (tag: string, output?: string, code?: string) => {
    const said = (output ?? code ?? "").trim().replace(/\b(?:contact|params)\.(?=[A-Za-z_])/g, "");
    if (output === undefined) return `{% ${said.replace(/^elif\b/, "elsif")} %}`;
    if (Object.hasOwn(BREVO_LINKS, said)) return BREVO_LINKS[said] as string;
    if (/^(?:doubleoptin|sender|view_in_browser)\b/.test(said)) left.add(tag);
    return `{{ ${said.replace(/\|\s*default\s*:\s*("[^"]*"|'[^']*')/g, "?? $1")} }}`;
  });
  return { text, left: [...left] };
}
