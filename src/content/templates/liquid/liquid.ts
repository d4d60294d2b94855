// Liquid for mails: no files, values escaped by format, and limits on everything that could grow or run without end.
import { CaptureTag, filters, Liquid, Output, toValue, type Emitter, type Template } from "liquidjs";
import type { Budget } from "./budget.ts";
import { dateFilters } from "./dates.ts";
import { inQuery, inUrl, LINK_FILTERS } from "./links.ts";
import { announceParts, OwnContext, type MissingPaths } from "./liquid-context.ts";
import { boundRanges, inSteps, metered, RANGE_FILTER, range } from "./liquid-limits.ts";
import { FALLBACK_FILTER } from "./template-syntax.ts";
import {
  CaptureText,
  isMissing,
  MAX_OUTPUT_CHARS,
  show,
  unescapeHtml,
  type RenderScope,
  type TemplateFormat,
} from "./values.ts";

const OPTIONS = {
  memoryLimit: MAX_OUTPUT_CHARS, // characters and list items that one rendering may create, including the mail itself
  ownPropertyOnly: true,
  strictFilters: true,
  jsTruthy: true, // `{% if name %}` is false for an empty name
  timezoneOffset: 0, // dates do not depend on the machine: UTC unless the filter names a zone
  locale: "en-US",
  templates: {}, // instead of the file system
};

export type RenderTerms = {
  readonly budget: Budget;
  /** Collects the variables that had no value. */ readonly missing?: MissingPaths;
};

export type Engine = {
  /** Throws the LiquidError of a syntax error. `source` is plain Liquid. */
  parse(source: string): Template[];
  /** Throws OverBudget, at a limit, and for errors that only occur at run time. */
  render(templates: Template[], scope: RenderScope, terms: RenderTerms): string;
  /** Like render, but answers the value of a single output. */
  evaluate(templates: Template[], scope: RenderScope, terms: RenderTerms): unknown;
};

/** `value`: nothing is escaped, as nothing is printed. */
type EngineFormat = TemplateFormat | "value";

/** One engine for each format: escaping is determined when a template is parsed. */
export function makeEngines(): Readonly<Record<EngineFormat, Engine>> {
  boundRanges();
  return { html: makeEngine("html"), text: makeEngine("text"), url: makeEngine("url"), value: makeEngine("value") };
}

function makeEngine(format: EngineFormat): Engine {
  const liquid = makeLiquid(format);
  const render: Engine["render"] = (templates, scope, { budget, missing }) => {
    const context = new OwnContext(liquid, scope, missing);
    const output = new MeteredOutput(context);
    inSteps(liquid.renderer.renderTemplates(templates, context, output), () => budget.check());
    return output.buffer;
  };
  return {
    parse: (source) => liquid.parse(source),
    render,
    evaluate(templates, scope, terms) {
      const [only, ...others] = templates;
      if (!(only instanceof Output) || others.length > 0) return render(templates, scope, terms);
      const context = new OwnContext(liquid, scope, terms.missing);
      return toValue(inSteps(only.value.value(context, false), () => terms.budget.check()));
    },
  };
}

function makeLiquid(format: EngineFormat): Liquid {
  const escape = format === "value" ? {} : { outputEscape: (value: unknown) => show(value, format) };
  const liquid = new Liquid({ ...OPTIONS, ...escape });
  for (const tag of ["include", "render", "layout", "block"]) delete liquid.tags[tag];
  liquid.registerTag("capture", MeteredCapture);
  for (const [name, filter] of Object.entries(filters)) liquid.registerFilter(name, metered(name, filter));
  for (const [name, filter] of dateFilters()) liquid.registerFilter(name, metered(name, filter));
  liquid.registerFilter("raw", { raw: true, handler: (value: unknown) => show(value, "text") });
  liquid.registerFilter(FALLBACK_FILTER, (value: unknown, other: unknown) => (isMissing(value) ? other : value));
  liquid.registerFilter(RANGE_FILTER, range);
  liquid.registerFilter(LINK_FILTERS.value, (value: unknown) => inQuery(show(value, "text")));
  liquid.registerFilter(LINK_FILTERS.piece, (value: unknown) => inUrl(show(value, "text")));
  if (format === "html") keepMarkup(liquid);
  if (format === "url") keepEncoding(liquid);
  announceParts(liquid);
  return liquid;
}

/** Filters that already answer HTML: escaping it again would show entities and tags to the reader. */
function keepMarkup(liquid: Liquid): void {
  const escape = (value: unknown): string => show(value, "html");
  const escapeOnce = (value: unknown): string => escape(unescapeHtml(show(value, "text")));
  const breakLines = (value: unknown): string => escapeOnce(value).replace(/\r?\n/g, "<br />\n");
  const handlers = {
    escape,
    xml_escape: escape,
    escape_once: escapeOnce,
    newline_to_br: breakLines,
  };
  for (const [name, handler] of Object.entries(handlers)) {
    liquid.registerFilter(name, { raw: true, handler: metered(name, handler) });
  }
}

/** Filters that already answer an encoded value. */
function keepEncoding(liquid: Liquid): void {
  const encode = (value: unknown): string => show(value, "url");
  for (const name of ["url_encode", "cgi_escape", "uri_escape"]) {
    liquid.registerFilter(name, { raw: true, handler: metered(name, encode) });
  }
}

/** liquidjs counts the output of filters, but not the printed text. */
class MeteredOutput implements Emitter {
  buffer = "";

  constructor(private readonly context: OwnContext) {}

  write(text: string): void {
    this.context.memoryLimit.use(text.length);
    this.buffer += text;
  }
}

class MeteredCapture extends CaptureTag {
  override *render(context: OwnContext): Generator<unknown, void, string> {
    const output = new MeteredOutput(context);
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    Object.assign(context.bottom(), { [this.variable]: new CaptureText(output.buffer) });
  }
}
