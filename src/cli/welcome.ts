// What the first start says: the keys, this once, and what to do with them.
import type { Config } from "../config.ts";
import type { MintedKeys } from "../workspaces/key-set.ts";
import { TRY_OUT_DOMAIN } from "./first-start.ts";
import { keyLines } from "./print.ts";

export function welcome(keys: MintedKeys, url: string, transport: Config["delivery"]["transport"]): string {
  const parts = [
    'Posthorn starts for the first time. It made the workspace "default" and its keys, which are not shown again:',
    keyLines(keys),
    // A mail to try things out with must not reach a stranger.
    transport === "capture" ? firstMail(keys, url) : firstDomain(),
  ];
  return `\n${parts.join("\n\n")}\n`;
}

function firstMail(keys: MintedKeys, url: string): string {
  const mail = {
    to: "you@example.com",
    from: `Posthorn <hello@${TRY_OUT_DOMAIN}>`,
    subject: "It works",
    body: "<p>Hello from Posthorn.</p>",
  };
  const headers = `-H 'Authorization: Bearer ${keys.secret}' -H 'Content-Type: application/json'`;
  return `Send a first mail:\n\n  curl -X POST ${url}/v1/send ${headers} -d '${JSON.stringify(mail)}'`;
}

function firstDomain(): string {
  return "Add the domain that you send from; this prints its DNS records:\n\n  posthorn domain add YOUR.DOMAIN --workspace default";
}
