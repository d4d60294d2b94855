// Completion between braces: data keys that contacts have, and built-in variables.
import type { Completion } from "@codemirror/autocomplete";
import { html } from "@codemirror/lang-html";
import { liquid } from "@codemirror/lang-liquid";
import type { Variable } from "../variables.ts";

type CompletionWords = { readonly covers: (percent: number) => string; readonly everybody: string };

export function languageFor(variables: readonly Variable[], words: CompletionWords) {
  const completions = variables.map(({ path, coverage }): Completion => ({
    label: path,
    type: "variable",
    detail: coverage === null ? words.everybody : words.covers(coverage),
    boost: coverage === null ? 0 : 1,
  }));
  const inData = completions.filter(({ label }) => !label.startsWith("data["));
  return liquid({
    base: html({ autoCloseTags: true }),
    variables: [...completions, { label: "data", type: "variable" }],
    properties: (path) => (path.length === 1 && path[0] === "data" ? inData : []),
  });
}
