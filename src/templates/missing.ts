// Which variables a rendering printed or went through in vain, for whoever previews a template.
import type { Template } from "liquidjs";
import { FALLBACK_FILTER } from "./template-syntax.ts";
import { isMissing } from "./values.ts";

/** A list of thousands of items that all lack a field is one mistake. */
const MOST = 100;
/** Tags that ask whether something is there: it need not be. */
const QUESTIONS = new Set(["if", "unless", "case"]);
/** What gives a missing value another one. */
const FALLBACKS = new Set([FALLBACK_FILTER, "default"]);

/** A tag or an output, as far as is looked at here. */
type Part = { readonly name?: string; readonly value?: { readonly filters?: readonly { readonly name: string }[] } };

export class Missing {
  readonly #paths = new Set<string>();
  #counts = false;

  /** In the order in which they were asked for. */
  get paths(): string[] {
    return [...this.#paths];
  }

  /** `template` is what looks at variables next. */
  turnTo(template: Template): void {
    const { name = "", value } = template as Part;
    this.#counts = !QUESTIONS.has(name) && !(value?.filters ?? []).some((filter) => FALLBACKS.has(filter.name));
  }

  look(path: string, value: unknown): void {
    if (this.#counts && isMissing(value) && this.#paths.size < MOST) this.#paths.add(path);
  }
}
