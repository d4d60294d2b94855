// A version as lines, and the differences between two. Visual emails are compared by block, not by generated HTML.
import type { visual } from "../../texts/en/visual.ts";
import { textOf, type Piece } from "../visual/document.ts";
import { conditionSaid } from "../visual/condition-text.ts";
import type { components } from "../../api.gen.ts";

type VersionContent = components["schemas"]["VersionContent"];
export type ComparedLine = { readonly is: "same" | "was" | "now"; readonly text: string };

/** Longer texts are replaced as a whole, apart from their common start and end. */
const MAX_LINES = 600;

export function linesOf(
  { subject, preheader, body, text, design }: VersionContent,
  t: typeof visual,
): readonly string[] {
  const source =
    design?.kind === "visual" && typeof design.source === "object" ? (design.source as unknown as Piece) : null;
  const bodyLines = source ? outlineOf(source, t, 0) : body.split("\n");
  return [subject, ...(preheader ? [preheader] : []), "", ...bodyLines, ...(text ? ["", ...text.split("\n")] : [])];
}

function outlineOf({ content = [] }: Piece, t: typeof visual, depth: number): readonly string[] {
  const indent = "  ".repeat(depth);
  return content.flatMap((piece): readonly string[] => {
    const { type } = piece;
    if (type === "condition")
      return [
        indent +
          conditionSaid(piece.attrs ?? {}, t)
            .map(({ text }) => text)
            .join(""),
        ...outlineOf(piece, t, depth + 1),
      ];
    if (type === "loop")
      return [
        `${indent}${t.forEach} ${textOf(piece, "item")} ${t.of} ${textOf(piece, "list")}`,
        ...outlineOf(piece, t, depth + 1),
      ];
    if (type === "columns") return [`${indent}${t.blocks.columns}`, ...outlineOf(piece, t, depth + 1)];
    if (type === "image")
      return [`${indent}${t.blocks.image}: ${textOf(piece, "src")} ${textOf(piece, "alt")}`.trimEnd()];
    if (type === "button")
      return [`${indent}${t.blocks.button}: ${wordsIn(piece)} → ${textOf(piece, "href")}`.trimEnd()];
    if (type === "horizontalRule") return [`${indent}—`];
    if (type === "rawHtml")
      return textOf(piece, "html")
        .split("\n")
        .map((line) => indent + line);
    if (type === "paragraph" || type === "heading") return [indent + wordsIn(piece)];
    return outlineOf(piece, t, type === "listItem" ? depth + 1 : depth);
  });
}

function wordsIn({ content = [] }: Piece): string {
  return content
    .map((piece) =>
      piece.type === "variable" ? `{${textOf(piece, "path")}}` : piece.type === "hardBreak" ? " " : (piece.text ?? ""),
    )
    .join("");
}

export function differences(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [was, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const same = (lines: readonly string[]) => lines.map((text): ComparedLine => ({ is: "same", text }));
  return [...same(after.slice(0, start)), ...between(was, now), ...same(after.slice(after.length - end))];
}

/** Compares by the longest common subsequence. */
function between(was: readonly string[], now: readonly string[]): readonly ComparedLine[] {
  const gone = (lines: readonly string[]) => lines.map((text): ComparedLine => ({ is: "was", text }));
  const come = (lines: readonly string[]) => lines.map((text): ComparedLine => ({ is: "now", text }));
  if (was.length * now.length === 0 || was.length > MAX_LINES || now.length > MAX_LINES)
    return [...gone(was), ...come(now)];
  const common = commonLengths(was, now);
  const lines: ComparedLine[] = [];
  let [at, to] = [0, 0];
  while (at < was.length && to < now.length) {
    const length = (row: number, place: number) => common[row]?.[place] ?? 0;
    if (was[at] === now[to]) (lines.push({ is: "same", text: now[to++] ?? "" }), at++);
    else if (length(at + 1, to) >= length(at, to + 1)) lines.push(...gone([was[at++] ?? ""]));
    else lines.push(...come([now[to++] ?? ""]));
  }
  return [...lines, ...gone(was.slice(at)), ...come(now.slice(to))];
}

function commonLengths(was: readonly string[], now: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: was.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let at = was.length - 1; at >= 0; at--)
    for (let to = now.length - 1; to >= 0; to--) {
      const [row, next] = [rows[at] as Uint16Array, rows[at + 1] as Uint16Array];
      row[to] = was[at] === now[to] ? (next[to + 1] ?? 0) + 1 : Math.max(next[to] ?? 0, row[to + 1] ?? 0);
    }
  return rows;
}
