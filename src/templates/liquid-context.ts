// What one rendering knows: its variables and nothing else, and, if asked for, which of them were missing.
import { Context, Drop, type Liquid, type Template } from "liquidjs";
import type { Missing } from "./missing.ts";
import type { Scope } from "./values.ts";

/** Hides what is not the scope's own: the class of `forloop`, and the `size` that an object without one would have. */
export class OwnContext extends Context {
  readonly missing: Missing | undefined;

  constructor(liquid: Liquid, scope: Scope, missing: Missing | undefined) {
    // A copy, because `increment` writes into it, and without a prototype, so that there is none to reach.
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
    // What the template has assigned itself was looked at where it came from.
    const isAssigned = path.length === 1 && Object.hasOwn(this.bottom(), String(path[0]));
    if (!isAssigned) this.missing?.look(path.map(String).join("."), value);
    return value;
  }
}

/** Has a context that looks for what is missing told which part of the template is rendered. */
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
