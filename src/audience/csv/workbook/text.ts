// A text in a workbook: in one piece or in runs of several looks, without the phonetic reading beside it.
import { WorkbookFault } from "./fault.ts";

/** A sign that XML cannot hold: `_x000D_`. */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;
/** Excel has at most 32,767 in a cell. */
const MAX_CHARS = 64 * 1024;

/** Collects the text of the element `t`, or of another one, as it arrives. */
export class TextRuns {
  #text = "";
  #isInside = false;
  #phonetic = 0;

  open(name: string): void {
    if (name === "rPh") this.#phonetic++;
    else if (name === "t") this.#isInside = this.#phonetic === 0;
  }

  add(text: string): void {
    if (this.#isInside) this.#text = extended(this.#text, text);
  }

  close(name: string): void {
    if (name === "rPh") this.#phonetic--;
    else if (name === "t") this.#isInside = false;
  }

  /** The collected text; the next one begins. */
  told(): string {
    const text = this.#text;
    this.#text = "";
    return unescaped(text);
  }
}

/** @throws WorkbookFault */
export function extended(text: string, by: string): string {
  if (text.length + by.length > MAX_CHARS) throw new WorkbookFault("big_file", "A cell of the workbook is too long.");
  return text + by;
}

export function unescaped(text: string): string {
  return text.includes("_x")
    ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}
