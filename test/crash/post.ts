// One request to one server, and what it said to it.
import type { Answer } from "./book.ts";
import type { SendRequest } from "./requests.ts";

/** Where a server can be reached, and with which key. */
export type Address = { readonly url: string; readonly secretKey: string };

/** `refused`: not now, and nothing was done. `unsure`: the server cannot tell whether it was done. */
export type Said = { readonly kind: "accepted"; readonly answer: Answer } | { readonly kind: "refused" | "unsure" };

type SendAnswer = { readonly data: { readonly emails: readonly { readonly email: string }[] } };
type Refusal = { readonly error: { readonly suggestion: string } };

const FROM = "hello@example.test";
const LONGEST_ANSWER_MS = 20_000;

/** @throws Error if no answer came, or none that a client can go on with */
export async function post({ url, secretKey }: Address, request: SendRequest, more: object = {}): Promise<Said> {
  const headers = new Headers({ authorization: `Bearer ${secretKey}`, "content-type": "application/json" });
  if (request.key !== null) headers.set("idempotency-key", request.key);
  const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
  const response = await fetch(`${url}/v1/send`, { method: "POST", headers, body: bodyOf(request, more), signal });
  if (response.status === 503 && response.headers.has("retry-after"))
    return refusal((await response.json()) as Refusal);
  if (response.status !== 200) throw new Error(`Answered ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as SendAnswer;
  const replayed = response.headers.get("idempotent-replayed") === "true";
  return { kind: "accepted", answer: { ids: data.emails.map(({ email }) => email), replayed } };
}

/** Answers the id of a new template of marketing mail. */
export async function makeTemplate({ url, secretKey }: Address): Promise<string> {
  const headers = { authorization: `Bearer ${secretKey}`, "content-type": "application/json" };
  const template = { name: "News", type: "MARKETING", from: FROM, subject: "News", body: "<p>There are news.</p>" };
  const response = await fetch(`${url}/templates`, { method: "POST", headers, body: JSON.stringify(template) });
  if (response.status !== 201) throw new Error(`Answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { readonly id: string }).id;
}

function bodyOf({ recipients: to, template }: SendRequest, more: object): string {
  if (template !== undefined) return JSON.stringify({ to, template, subscribed: true });
  return JSON.stringify({ to, from: FROM, subject: "Still here?", body: "<p>What was accepted arrives.</p>", ...more });
}

function refusal({ error }: Refusal): Said {
  return { kind: error.suggestion.startsWith("Nothing of the request was done") ? "refused" : "unsure" };
}
