// Campaigns to test with: one that can be sent, and people to send it to.
import type { Json, Posthorn } from "./posthorn.ts";
import { ask } from "./scenario.ts";

export const news = {
  name: "Spring news",
  subject: "Hello {{ name ?? 'you' }}",
  body: "<p>It is spring, {{ email }}.</p>",
  from: "news@example.test",
  audienceType: "ALL",
} as const;

/** `reader1@example.com` and so on, subscribed; the first ones come first. */
export async function addReaders(posthorn: Posthorn, count: number): Promise<void> {
  for (let number = 1; number <= count; number++)
    await ask(posthorn, "POST /contacts", { body: { email: `reader${number}@example.com` } });
}

export async function write(posthorn: Posthorn, input: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /campaigns", { body: { ...news, ...input } })).body.data.id;
}

/** Writes a campaign and lets it start; nothing has left yet. */
export async function send(posthorn: Posthorn, input: object = {}): Promise<string> {
  const id = await write(posthorn, input);
  await ask(posthorn, `POST /campaigns/${id}/send`);
  return id;
}

export async function look(posthorn: Posthorn, id: string): Promise<Json> {
  return (await ask(posthorn, `GET /campaigns/${id}`)).body.data;
}

export async function statistics(posthorn: Posthorn, id: string): Promise<Json> {
  return (await ask(posthorn, `GET /campaigns/${id}/stats`)).body.data;
}

/** Address (null = erased) → state, with the reason if there is one. */
export async function recipients(posthorn: Posthorn, id: string): Promise<string[]> {
  const { data } = (await ask(posthorn, `GET /campaigns/${id}/recipients?pageSize=100`)).body;
  return data.map(({ email, state, reason }: Json) => [email, state, reason].filter(Boolean).join(" "));
}

/** As if a relay were slow: mails stay in hand until they are released. */
export function slowRelay(posthorn: Posthorn): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  posthorn.transport.answer = async () => {
    await promise;
    return { kind: "accepted", reply: "250 Ok" };
  };
  return resolve;
}

/** As if their audiences were too large to be frozen at once: the loop has still to do it. */
export async function unfreeze(posthorn: Posthorn): Promise<void> {
  await posthorn.store.write(async (tx) => {
    await tx.run`delete from recipients`;
    await tx.run`update campaigns set frozen_at = null`;
  });
}
