// Texts of an email that has no template: at the other services, braces in them are braces, not our language.
import { hasVariables } from "../templates/render.ts";

const BRACES = /\{[{%]+/g;
const WRITTEN = /\{% raw %\}(\{[{%]+)\{% endraw %\}/g;

/** In our language, so that people get what is written. */
export function literal<Source>(source: Source): Source | string {
  return typeof source === "string" ? source.replace(BRACES, "{% raw %}$&{% endraw %}") : source;
}

/** What is written; null = it has variables, so that it is not what anybody got. */
export function literalIn(source: string | null): string | null {
  return source === null || hasVariables(source.replace(WRITTEN, "")) ? null : source.replace(WRITTEN, "$1");
}
