// Calls of another service's API, below a path of their own: their refusals look like that service's.
import type { AppError } from "../errors.ts";

export type Dialect = {
  /** Where its paths begin, such as `/compat/resend`. */
  readonly at: string;
  readonly refusal: (error: AppError) => { readonly status: number; readonly body: object };
};

/** The dialect that a request is written in; undefined = our own. */
export function dialectOf(dialects: readonly Dialect[], { url }: Pick<Request, "url">): Dialect | undefined {
  const path = url.indexOf("/", 8);
  return dialects.find(({ at }) => url.startsWith(`${at}/`, path));
}
