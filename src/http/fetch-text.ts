// Fetches a small text over HTTP from a checked address: limited in time and size, without redirects.

/** @throws Error if there is no such text within the limits */
export type FetchText = (url: string) => Promise<string>;

type FetchLimits = { readonly timeoutMs: number; readonly bytes: number };

/** Redirects are not followed: their target was not checked. */
export function fetchTextWithin({ timeoutMs, bytes }: FetchLimits): FetchText {
  return async (url) => {
    const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) throw new Error(`The answer is ${answer.status}.`);
    return responseText(answer, bytes);
  };
}

/** The answer is larger than it may be. */
export class LargeAnswerError extends Error {
  override readonly name = "LargeAnswerError";
}

/** @throws LargeAnswerError for a larger answer, of which no more is read */
export async function responseText(answer: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw new LargeAnswerError(`The answer is larger than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
