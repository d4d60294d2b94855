// A mail whose opens and clicks are looked for, and what a recipient's program does with it.
import { letter, mailsSent } from "./mails.ts";
import type { Json, Posthorn, Reply } from "./posthorn.ts";
import { ask } from "./scenario.ts";

export type TrackedMail = {
  readonly id: string;
  /** Paths with their tokens. */
  readonly pixel: string;
  readonly links: readonly string[];
};

/** Sends one mail with this HTML and reads the marks out of what left last. */
export async function sendTracked(posthorn: Posthorn, body: string): Promise<TrackedMail> {
  const reply = await ask(posthorn, "POST /v1/send", { body: { ...letter, body } });
  const html = String((await mailsSent(posthorn)).at(-1)?.html);
  const paths = (kind: "o" | "c") => [
    ...html.matchAll(new RegExp(`http://127\\.0\\.0\\.1:8484(/${kind}/[\\w-]+)`, "g")),
  ];
  return {
    id: reply.body.data.emails[0].email,
    pixel: paths("o")[0]?.[1] as string,
    links: paths("c").map(([, path]) => path as string),
  };
}

export type Visitor = { readonly method?: "GET" | "HEAD"; readonly userAgent?: string };

export function visit(posthorn: Posthorn, path: string, { method = "GET", userAgent }: Visitor = {}): Promise<Reply> {
  const headers = userAgent === undefined ? {} : { "user-agent": userAgent };
  return ask(posthorn, `${method} ${path}`, { key: "none", headers });
}

export async function readEmail(posthorn: Posthorn, id: string): Promise<Json> {
  return (await ask(posthorn, `GET /emails/${id}`)).body;
}
