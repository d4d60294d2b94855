// Texts of other template languages in ours. What has no counterpart stays as it is, to be seen, and is named.
import { filled, textOf, type AnswerFields } from "../fields.ts";
import { namedOf, type SourceTemplate } from "../source.ts";

/** `left`: what stays, each once. */
type LiquidText = { readonly text: string; readonly left: readonly string[] };

/** Where the text of a campaign goes in a template that frames it. */
const CONTENT_PLACE = "<!-- The text of the email goes here. -->";

/** `more`: its other fields. */
export function templateIn(
  convert: (source: string) => LiquidText,
  item: AnswerFields,
  more: AnswerFields,
): SourceTemplate {
  const [subject, body] = [convert(textOf(item["subject"])), convert(textOf(item["body"]))];
  const fields = filled({ subject: subject.text || textOf(item["name"]), body: body.text, ...more });
  return { kind: "template", ...namedOf(item), fields, left: [...subject.left, ...body.left] };
}

/** `say`: null = the tag cannot be said in our language. */
function converted(
  source: string,
  tags: RegExp,
  say: (...groups: (string | undefined)[]) => string | null,
): LiquidText {
  const left = new Set<string>();
  const text = source.replace(tags, (tag: string, ...groups: (string | undefined)[]) => {
    const said = say(...groups);
    if (said === null) left.add(tag);
    return said ?? `{% raw %}${tag}{% endraw %}`;
  });
  return { text, left: [...left] };
}

/** Blocks that are open, the innermost last; null = a block that cannot be said in our language. */
type GoBlocks = ("if" | "for" | null)[];

/** Templates of Go, as listmonk has them. */
export function fromGo(source: string): LiquidText {
  const blocks: GoBlocks = [];
  // The marks at the ends of a tag trim space.
  const { text, left } = converted(source.replace(/@TrackLink\b/g, ""), /\{\{-?([^{}]*)\}\}/g, (inner = "") =>
    actionIn(inner.replace(/-$/, "").trim(), blocks),
  );
  return { text: text.replaceAll("{{ unsubscribeUrl }}?manage=true", "{{ manageUrl }}"), left };
}

/** Null = it cannot be said in our language. */
function actionIn(code: string, blocks: GoBlocks): string | null {
  if (code.startsWith("/*")) return "";
  const [word = "", ...rest] = code.split(/\s+/);
  const after = rest.join(" ");
  const isInLoop = blocks.includes("for");
  const begin = (name: "if" | "for", said: string | null) => {
    blocks.push(said === null ? null : name);
    return said && `{% ${name} ${said} %}`;
  };
  if (word === "if") return begin("if", conditionIn(after, isInLoop));
  if (word === "range") {
    const list = isInLoop ? null : valueIn(after, false);
    return begin("for", list && `item in ${list}`);
  }
  if (["with", "block", "define"].includes(word)) return begin("if", null);
  if (word === "else") return blocks.at(-1) ? elseOf(after, isInLoop) : null;
  if (word !== "end") return callOf(word, after) ?? outputOf(code, isInLoop);
  const block = blocks.pop();
  return block ? `{% end${block} %}` : null;
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

const DATE_PARTS: Readonly<Record<string, string>> = {
  ...{ "2006": "%Y", January: "%B", Jan: "%b", "01": "%m", Monday: "%A", Mon: "%a", "02": "%d" },
  ...{ "15": "%H", "04": "%M", "05": "%S" },
};

/** Go writes forms of dates by an example. */
function dateForm(example: string): string {
  return example.replace(/2006|January|Jan|Monday|Mon|0[1245]|15/g, (part) => DATE_PARTS[part] ?? part);
}

const BREVO_LINKS: Readonly<Record<string, string>> = {
  unsubscribe: "{{ unsubscribeUrl }}",
  update_profile: "{{ manageUrl }}",
  mirror: "",
};

/** Templates of Brevo: their names have a place before them, and the rest is near to ours. */
export function fromBrevo(source: string): LiquidText {
  return converted(source, /\{\{([^{}]*)\}\}|\{%([^{}]*)%\}/g, (output, code) => {
    const said = (output ?? code ?? "").trim().replace(/\b(?:contact|params)\.(?=[A-Za-z_])/g, "");
    if (output === undefined) return `{% ${said.replace(/^elif\b/, "elsif")} %}`;
    if (Object.hasOwn(BREVO_LINKS, said)) return BREVO_LINKS[said] as string;
    if (/^(?:doubleoptin|sender|view_in_browser)\b/.test(said)) return null;
    return `{{ ${said.replace(/\|\s*default\s*:\s*("[^"]*"|'[^']*')/g, "?? $1")} }}`;
  });
}
