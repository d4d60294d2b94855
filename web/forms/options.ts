// The options of a choice while they are edited as lines of text, in one language at a time.

type SavedOption = { readonly value: string; readonly label: Readonly<Record<string, string>> };

/** `isSaved`: its value stays, whatever its text becomes. */
export type DraftOption = SavedOption & { readonly isSaved: boolean };

export function draftOptions(options: readonly SavedOption[]): DraftOption[] {
  return options.map((option) => ({ ...option, isSaved: true }));
}

/** Without empty lines. */
export function savedOptions(options: readonly DraftOption[]) {
  return options.flatMap(({ value, label, isSaved }) => (isSaved || value !== "" ? { value, label } : []));
}

/**
 * The options from lines in one language. Lines that stay are found from both ends, so an inserted or removed line
 * changes no other option. The value of a new option is its first text until it is saved.
 */
export function optionsFrom(lines: string, options: readonly DraftOption[], language: string): DraftOption[] {
  const [texts, before] = [lines.split("\n"), textsOf(options, language)];
  const start = sharedStart(texts, before);
  const end = sharedStart(texts.slice(start).toReversed(), before.slice(start).toReversed());
  return texts.map((text, at) => {
    const isOfEnd = at >= texts.length - end;
    const isNew = !isOfEnd && at >= before.length - end;
    const option = isNew ? undefined : options[isOfEnd ? at + before.length - texts.length : at];
    return optionWith(option, text, language);
  });
}

function optionWith(option: DraftOption | undefined, text: string, language: string): DraftOption {
  const label = { ...option?.label, [language]: text };
  if (option === undefined) return { value: text.trim(), label, isSaved: false };
  const isFirstText = !option.isSaved && option.label[language]?.trim() === option.value;
  return { ...option, value: isFirstText ? text.trim() : option.value, label };
}

function sharedStart(texts: readonly string[], others: readonly string[]): number {
  const length = texts.findIndex((text, at) => text !== others[at]);
  return length === -1 ? texts.length : length;
}

export function linesOf(options: readonly DraftOption[], language: string): string {
  return textsOf(options, language).join("\n");
}

function textsOf(options: readonly DraftOption[], language: string): string[] {
  return options.map(({ value, label }) => label[language] ?? value);
}
