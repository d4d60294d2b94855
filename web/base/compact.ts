// Drops undefined, null and empty values, for URLs and queries.

type Compact<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined | null | ""> };

export function compact<Values extends object>(values: Values): Compact<Values> {
  const filled = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return Object.fromEntries(filled) as Compact<Values>;
}
