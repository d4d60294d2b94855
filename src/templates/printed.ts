// A text that was made of a template, and where the values of variables stand in it. These places are hints: nobody may take a mail to be
// right because of them.

/** Where a value begins, and where what follows it begins. */
export type Place = readonly [start: number, end: number];

export type Printed = {
  readonly text: string;
  /** In their order, none empty. What a template prints unescaped, or captured before, is not among them. */
  readonly values: readonly Place[];
};

export function withoutValues(text: string): Printed {
  return { text, values: [] };
}

/** `addition` put in at `at`. A value that this divides is none any more. */
export function inserted({ text, values }: Printed, at: number, addition: Printed): Printed {
  const { length } = addition.text;
  return {
    text: text.slice(0, at) + addition.text + text.slice(at),
    values: [
      ...values.filter(([, end]) => end <= at),
      ...addition.values.map(([start, end]) => [start + at, end + at] as const),
      ...values.filter(([start]) => start >= at).map(([start, end]) => [start + length, end + length] as const),
    ],
  };
}

/** What stands from `start` to `end`. */
export function cut({ text, values }: Printed, start: number, end: number): Printed {
  const within = values.map(([from, to]) => [Math.max(from, start) - start, Math.min(to, end) - start] as const);
  return { text: text.slice(start, end), values: within.filter(([from, to]) => from < to) };
}

/** As `change` makes it of the text character by character. */
export function changed({ text, values }: Printed, change: (piece: string) => string): Printed {
  const places: Place[] = [];
  let [made, done] = ["", 0];
  for (const [start, end] of values) {
    made += change(text.slice(done, start));
    const from = made.length;
    made += change(text.slice(start, end));
    places.push([from, made.length]);
    done = end;
  }
  return { text: made + change(text.slice(done)), values: places };
}
