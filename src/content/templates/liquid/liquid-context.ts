// The context of one rendering: its variables only, and on request a list of the missing ones.
import { Context, Drop, type Liquid, type Template } from "liquidjs";
import { FALLBACK_FILTER } from "./template-syntax.ts";
import { isMissing, type RenderScope } from "./values.ts";

/** Hides properties that are not the scope's own: the class of `forloop`, and the `size` of objects without one. */
export class OwnContext extends Context {
  readonly missing: MissingPaths | undefined;

  constructor(liquid: Liquid, scope: RenderScope, missing: MissingPaths | undefined) {
    // A copy, because `increment` writes into it, and without a prototype, so that templates cannot reach one.
    const variables = Object.assign(Object.create(null), scope) as object;
    super(variables, liquid.options, { sync: true }, { liquid });
    this.missing = missing;
  }

  override readProperty(object: object, key: string | number | Drop): unknown {
    if (object instanceof Drop && String(key) in Object.prototype) return undefined;
    if (key === "size" && isRecord(object) && !Object.hasOwn(object, key)) return undefined;
    return super.readProperty(object, key) as unknown;
  }

  override *_get(path: Parameters<Context["_get"]>[0]): IterableIterator<unknown> {
    const value: unknown = yield super._get(path);
    // An assigned variable was checked where its value came from.
    const isAssigned = path.length === 1 && Object.hasOwn(this.bottom(), String(path[0]));
    if (!isAssigned) this.missing?.look(path.map(String).join("."), value);
    return value;
  }
}

/** Tells a context that collects missing variables which part of the template is being rendered. */
export function announceParts({ renderer }: Liquid): void {
  const render = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates, context, emitter) =>
    context instanceof OwnContext && context.missing
      ? oneByOne(templates, context, (template) => render([template], context, emitter))
      : render(templates, context, emitter);
}

function* oneByOne(
  templates: readonly Template[],
  context: OwnContext,
  render: (template: Template) => IterableIterator<unknown>,
): IterableIterator<unknown> {
  for (const template of templates) {
    context.missing?.turnTo(template);
    yield render(template);
    if (context.breakCalled || context.continueCalled) break;
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Drop);
}

/** A list of thousands of items that all lack a field is one mistake. */
const MOST = 100;
/** Tags that test a variable, which may be missing. */
const QUESTIONS = new Set(["if", "unless", "case"]);
/** Filters that replace a missing value. */
const FALLBACKS = new Set([FALLBACK_FILTER, "default"]);

/** The relevant properties of a tag or an output. */
type LiquidPart = {
  readonly name?: string;
  readonly value?: { readonly filters?: readonly { readonly name: string }[] };
};

export class MissingPaths {
  readonly #paths = new Set<string>();
  #counts = false;

  /** In the order of their first use. */
  get paths(): string[] {
    return [...this.#paths];
  }

  /** `template` is the next part that reads variables. */
  turnTo(template: Template): void {
    const { name = "", value } = template as LiquidPart;
    this.#counts = !QUESTIONS.has(name) && !(value?.filters ?? []).some((filter) => FALLBACKS.has(filter.name));
  }

  look(path: string, value: unknown): void {
    if (this.#counts && isMissing(value) && this.#paths.size < MOST) this.#paths.add(path);
  }
}
