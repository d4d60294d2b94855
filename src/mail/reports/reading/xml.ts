// A strict reader of the XML of reports: only elements and texts. No document types, so no entities but the five of
// XML; and limits just above the needs of a report.
import { Parser } from "htmlparser2";
import { Unreadable } from "./report.ts";

export type XmlElement = { readonly name: string; text: string; readonly children: XmlElement[] };

/** feedback → record → auth_results → dkim → domain; extensions may have some more. */
const MAX_DEPTH = 16;
const MAX_TEXT_CHARS = 4_000;
/** Elements within one element of the second level: a record has some thirty. */
const MAX_ELEMENTS_IN_ONE = 2_000;
const MAX_ELEMENTS = 3_000_000;

/**
 * Passes each element below the root to `take` when it ends, so that a long document takes little memory; answers the
 * root's name. Names are without their prefix.
 * @throws Unreadable, and errors of `take`
 */
export function readXml(xml: string, take: (element: XmlElement) => void): string {
  const reader = new XmlReader(take);
  const text = xml.replace(/^\uFEFF/, "");
  // The parser treats `<a/>` like a tag without an end.
  const isWhole = () => text[parser.endIndex - 1] === "/";
  const parser: Parser = new Parser(
    {
      onopentag: (name) => reader.open(localName(name)),
      ontext: (text) => reader.text(text),
      onclosetag: (_, isImplied) => reader.close(isImplied && !isWhole()),
      onprocessinginstruction: (name) => {
        // `!DOCTYPE`, in any case.
        if (name.startsWith("!")) throw new Unreadable("markup");
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return reader.end();
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

class XmlReader {
  readonly #take: (element: XmlElement) => void;
  readonly #open: XmlElement[] = [];
  #root: string | null = null;
  #elements = 0;
  #inOne = 0;

  constructor(take: (element: XmlElement) => void) {
    this.#take = take;
  }

  open(name: string): void {
    const depth = this.#open.length;
    if (depth === 1) this.#inOne = 0;
    if (depth >= MAX_DEPTH || ++this.#elements > MAX_ELEMENTS || ++this.#inOne > MAX_ELEMENTS_IN_ONE)
      throw new Unreadable("large");
    if (depth === 0 && this.#root !== null) throw new Unreadable("markup");
    if (depth === 0) this.#root = name;
    const element = { name, text: "", children: [] };
    // The root keeps no children: they are passed on.
    if (depth > 1) this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  text(text: string): void {
    const element = this.#open.at(-1);
    if (!element) {
      if (text.trim() !== "") throw new Unreadable("markup");
    } else if (this.#open.length > 1 && element.text.length < MAX_TEXT_CHARS)
      element.text = (element.text + text).slice(0, MAX_TEXT_CHARS);
  }

  close(isImplied: boolean): void {
    const element = this.#open.pop();
    if (!element || isImplied) throw new Unreadable("markup");
    if (this.#open.length === 1) this.#take(element);
  }

  end(): string {
    if (this.#root === null || this.#open.length > 0) throw new Unreadable("markup");
    return this.#root;
  }
}

/** The child elements of a name. */
export function within({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** The text of the first element on this path; `''` = none. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string {
  const found = path.reduce<XmlElement | undefined>((at, name) => at && within(at, name)[0], element);
  return found?.text.trim() ?? "";
}
