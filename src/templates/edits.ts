// Small changes to a text, kept apart from it, so that a place in the changed text can be found in the first one.

/** At `at` of the text, `removed` characters give way to `inserted`. */
export type Edit = { readonly at: number; readonly removed: number; readonly inserted: string };

/** `text` with `edits`, which stand in the order of their places and do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = "";
  let done = 0;
  for (const { at, removed, inserted } of edits) {
    result += text.slice(done, at) + inserted;
    done = at + removed;
  }
  return result + text.slice(done);
}

/** Where the character at `offset` of the edited text stood before; what was inserted stands where its edit does. */
export function offsetBefore(edits: readonly Edit[], offset: number): number {
  let grown = 0;
  for (const { at, removed, inserted } of edits) {
    if (offset <= at + grown) break;
    if (offset < at + grown + inserted.length) return at;
    grown += inserted.length - removed;
  }
  return offset - grown;
}
