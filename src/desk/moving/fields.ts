// Reads the answers of other products, which may be anything.

export type AnswerFields = Readonly<Record<string, unknown>>;

/** An answer that is not as its documentation says. */
export class StrangeAnswerError extends Error {
  override readonly name = "StrangeAnswerError";
}

export function isFields(value: unknown): value is AnswerFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function fieldsOf(value: unknown): AnswerFields {
  return isFields(value) ? value : {};
}

/** The value at a path such as `data.results`; at "", the whole answer. */
export function valueAt(answer: unknown, path: string): unknown {
  return path === "" ? answer : path.split(".").reduce((value, name) => fieldsOf(value)[name], answer);
}

/** The objects of the list at `path`. @throws StrangeAnswerError if there is no list */
export function itemsIn(answer: unknown, path = ""): AnswerFields[] {
  const list = valueAt(answer, path);
  if (Array.isArray(list)) return list.filter(isFields);
  throw new StrangeAnswerError(path === "" ? "The answer is no list." : `The answer has no list “${path}”.`);
}

/** The ids of the objects of a list, which may be missing. */
export function idsIn(list: unknown): string[] {
  return itemsIn(list ?? []).map(({ id }) => textOf(id));
}

/** Also of a number; "" of anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((one) => one !== "") : [];
}

/** Without empty values, which say nothing. */
export function filled(data: AnswerFields): AnswerFields {
  const isEmpty = (value: unknown) =>
    value == null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(data).filter(([, value]) => !isEmpty(value)));
}
