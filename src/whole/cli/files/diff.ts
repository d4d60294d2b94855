// The differences between two texts, line by line.

/** Lines around a change that are shown. */
const AROUND = 2;
/** Comparing each line with each would take long: beyond this, all lines between the same ones count as changed. */
const MOST_COMPARED = 4_000_000;

type DiffLine = { readonly sign: " " | "-" | "+"; readonly text: string };

/** The changed lines with some around them, as `- before` and `+ after`. */
export function changedLines(before: string, after: string): string[] {
  const lines = compared(linesOf(before), linesOf(after));
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== " ");
  return lines.flatMap(({ sign, text }, at) => {
    if (isNear(at)) return [`${sign} ${text}`.trimEnd()];
    return at > 0 && isNear(at - 1) ? ["…"] : [];
  });
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function compared(before: readonly string[], after: readonly string[]): DiffLine[] {
  const head = sharedAtStart(before, after);
  const tail = sharedAtStart(before.slice(head).toReversed(), after.slice(head).toReversed());
  const kept = (text: string): DiffLine => ({ sign: " ", text });
  const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const between = old.length * fresh.length > MOST_COMPARED ? replaced(old, fresh) : longestShared(old, fresh);
  return [...before.slice(0, head).map(kept), ...between, ...before.slice(before.length - tail).map(kept)];
}

function sharedAtStart(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((line, at) => line !== other[at]);
  return end === -1 ? Math.min(one.length, other.length) : end;
}

function replaced(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  return [
    ...old.map((text): DiffLine => ({ sign: "-", text })),
    ...fresh.map((text): DiffLine => ({ sign: "+", text })),
  ];
}

/** By the longest sequence of lines that both have. */
function longestShared(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const width = fresh.length + 1;
  const length = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      length[i * width + j] =
        old[i] === fresh[j]
          ? (length[(i + 1) * width + j + 1] as number) + 1
          : Math.max(length[(i + 1) * width + j] as number, length[i * width + j + 1] as number);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push({ sign: " ", text: old[i++] as string });
      j++;
    } else if ((length[(i + 1) * width + j] as number) >= (length[i * width + j + 1] as number))
      lines.push({ sign: "-", text: old[i++] as string });
    else lines.push({ sign: "+", text: fresh[j++] as string });
  }
  return [...lines, ...replaced(old.slice(i), fresh.slice(j))];
}
