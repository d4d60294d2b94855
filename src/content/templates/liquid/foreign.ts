// Placeholders of other services in an imported text: in our language they print nothing, or stay as they are.
import { unescapeHtml } from "./values.ts";

export type Foreign = {
  /** As spelled in the text. */
  readonly written: string;
  /** The replacement; null = Posthorn has no equivalent. */
  readonly meant: string | null;
};

const MOST = 20;
/** The limit for each kind: a thousand placeholders are one mistake. */
const MOST_LOOKED_AT = 500;
const OURS = ["unsubscribeUrl", "subscribeUrl", "manageUrl"];
const UNSUBSCRIBE = "{{ unsubscribeUrl }}";

/** Matched against the letters of a name; the first match counts. Null = Posthorn has no such page. */
const LINKS: readonly (readonly [name: RegExp, meant: string | null])[] = [
  [/preferences?(center|url|link|page)|(manage|email|unsubscribe)preferences?$/, "{{ manageUrl }}"],
  [/^manage(url|link|subscriptions?)$|^(update|edit)profile|profilecenter/, "{{ manageUrl }}"],
  [/unsub|^optout|^remove(link|url)?$|^asm(group|global)/, UNSUBSCRIBE],
  [/^(re)?subscribe(link|url)$|^optin(link|url)$/, "{{ subscribeUrl }}"],
  [/^webver?sion|^webview|^view(in|on)|^browserurl|^mirror$|^archive$|^messageurl$|^trackview$/, null],
];

/** Helpers of Handlebars, which precede their value: our language reads both as one name. */
const HELPERS: Readonly<Record<string, string>> = {
  ...{ length: "size", size: "size", count: "size", upper: "upcase", uppercase: "upcase", toUpperCase: "upcase" },
  ...{ lower: "downcase", lowercase: "downcase", toLowerCase: "downcase", capitalize: "capitalize", trim: "strip" },
  ...{ formatDate: 'date: "%d %B %Y"', dateFormat: 'date: "%d %B %Y"', json: "json", stringify: "json" },
  ...{ encodeURIComponent: "url_encode", urlencode: "url_encode", escape: "escape", round: "round", abs: "abs" },
};

/** Two or three braces around one name, or two names with blanks between, and the operators that may follow a value. */
const BRACES =
  /\{\{\{?-?\s{0,20}([A-Za-z_][\w.-]{0,80})(?: {1,5}([A-Za-z_][\w.-]{0,80}))?\s{0,20}(?:(?:\||\?\?)[^{}]{0,200})?\}\}\}?/g;
/** Other services' delimiters around a name, which are plain text in our language. */
const MARKS =
  /\*\|([A-Z][\w:]{0,60})\|\*|\[\[\s?([A-Za-z][\w:-]{0,80})(?::"[^"\]]{0,100}")?\s?\]\]|%%?([A-Za-z][\w.]{2,60})%%?|<%\s?([A-Za-z]\w{2,60})\s?%>|(?<![{$\w])\{[$!]?([A-Za-z]\w{2,60})\}(?!\})|##([A-Za-z]\w{2,60})##|<(unsubscribe|webversion)>/g;
/** Plain text may contain such brackets, so they only count without a link of ours. */
const BRACKETS = /(?<!\[)\[(?:unsubscribe|unsubscribe_?link|unsubscribe_?url|remove)\]/gi;
const EMPTY_LINK = /<a\b[^<>]{0,500}?\bhref\s{0,5}=\s{0,5}(?:""|''|"#"|'#'|(?=>))[^<>]{0,500}>/gi;
/** The text of such a link, in the languages of our pages. */
const LEAVING =
  /unsubscribe|opt[ -]?out|abmelden|abbestellen|désabonner|désinscri|darse de baja|cancelar (la )?suscripción|disiscri|annulla l.iscrizione|uitschrijven|afmelden|cancelar (a )?(inscrição|subscrição)|wypisz|odhlásit|avregistrera|avmeld|peruuta tilaus|afmeld|відписатися|退订|退訂|配信停止|إلغاء الاشتراك/i;
const LONGEST_WORDS = 300;

/** Each placeholder once. Takes time in proportion to `source`. */
export function foreignIn(source: string): readonly Foreign[] {
  const found = new Map<string, Foreign>();
  for (const of of [inBraces, inMarks, inBrackets, emptyLinks])
    for (const one of of(source)) if (found.size < MOST) found.set(one.written, one);
  return [...found.values()];
}

const PRINTS_NOTHING = "prints nothing unless data has it";

/** A text for the author of the template. */
export function wordsAbout({ written, meant }: Foreign): string {
  const name = OURS.find((one) => meant?.includes(one));
  const what = /^<a\b/.test(written) ? "leads nowhere" : written.startsWith("{{") ? PRINTS_NOTHING : "stays as it is";
  if (meant === null) return `${written} ${what}: Posthorn has nothing like it. Leave it out.`;
  return name
    ? `${written} ${what}: did you mean ${name}? Write ${meant}.`
    : `${written} ${what}: did you mean ${meant}?`;
}

/** A suggestion for a piece of code with a syntax error. */
export function hintAbout(code: string): string {
  const [name = ""] = /[\w:]*(?:unsub|preference|profile)[\w:]*/i.exec(code.split("}")[0] ?? "") ?? [];
  const meant = name === "" ? null : linkMeant(name);
  return meant ? `. Did you mean ${meant}?` : "";
}

function matches(source: string, pattern: RegExp) {
  return source.matchAll(pattern).take(MOST_LOOKED_AT);
}

function* inBraces(source: string): Generator<Foreign> {
  for (const [written, name = "", value] of matches(source, BRACES)) {
    const meant = value === undefined ? linkMeant(name) : helperMeant(name, value);
    if (meant !== undefined) yield { written, meant };
  }
}

function helperMeant(name: string, value: string): string | undefined {
  return Object.hasOwn(HELPERS, name) ? `{{ ${value} | ${HELPERS[name]} }}` : undefined;
}

/** Undefined = the name may mean anything. Data of an event or a request has names of the author's choice. */
function linkMeant(name: string): string | null | undefined {
  if (OURS.includes(name) || /^(event|data)\./.test(name)) return undefined;
  const letters = (name.split(/[.:]/).at(-1) ?? "").replace(/[^A-Za-z]/g, "").toLowerCase();
  return LINKS.find(([pattern]) => pattern.test(letters))?.[1];
}

function* inMarks(source: string): Generator<Foreign> {
  for (const [written, ...names] of matches(source, MARKS)) {
    const name = names.find((one) => one !== undefined) ?? "";
    const meant = linkMeant(name) ?? mergeMeant(written, name);
    if (meant !== undefined) yield { written, meant };
  }
}

const MERGED: Readonly<Record<string, string>> = {
  ...{ FNAME: "{{ firstName }}", LNAME: "{{ lastName }}", EMAIL: "{{ email }}", PHONE: "{{ phone }}" },
  ...{ CURRENT_YEAR: '{{ "now" | date: "%Y" }}' },
};

/** `*|FNAME|*`, `[[data:name]]` */
function mergeMeant(written: string, name: string): string | null | undefined {
  if (written.startsWith("*|")) {
    if (/^(IF|ELSE|END|ELSEIF|IFNOT|INTERESTED)\b/.test(name)) return "{% if … %} … {% endif %}";
    return MERGED[name] ?? null;
  }
  const [, own] = /^(?:data|var):(\w+)/.exec(name) ?? [];
  if (own !== undefined) return `{{ ${own} }}`;
  return linkMeant(name);
}

function* inBrackets(source: string): Generator<Foreign> {
  if (source.includes("unsubscribeUrl")) return;
  for (const [written] of matches(source, BRACKETS)) yield { written, meant: UNSUBSCRIBE };
}

/** Unsubscribe links without a target. */
function* emptyLinks(source: string): Generator<Foreign> {
  for (const { 0: tag, index } of matches(source, EMPTY_LINK)) {
    const behind = source.slice(index + tag.length, index + tag.length + LONGEST_WORDS);
    const words = unescapeHtml((behind.split(/<\/a\b/i)[0] ?? "").replace(/<[^>]*>/g, " "))
      .replace(/\s+/g, " ")
      .trim();
    if (LEAVING.test(words)) yield { written: `<a href="">${words}</a>`, meant: `<a href="${UNSUBSCRIBE}">` };
  }
}
