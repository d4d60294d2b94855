// A passkey in the executable: made by the link of the first start, then used to sign in.
import { deepStrictEqual as same } from "node:assert";
import { Authenticator } from "./support/authenticator.ts";

/** Passkeys belong to a name, so the server is told one; it is reached by its address. */
export const ORIGIN = "http://localhost:8484";

/** `heard`: what the server has printed so far. */
export async function passkeyCeremony(url: string, heard: string): Promise<void> {
  const token = /\/app\/welcome#([A-Z-]{14})$/m.exec(heard)?.[1];
  const authenticator = new Authenticator(ORIGIN);
  const entry = { token, email: "ada@example.com", name: "Ada" };
  const options = await post(url, "/links/passkey-options", entry);
  const passkey = authenticator.create(options.body);
  same((await post(url, "/links/accept", { ...entry, passkey })).status, 200);
  const asked = await post(url, "/session/passkey-options", {});
  const { status, body } = await post(url, "/session/passkey", { passkey: authenticator.get(asked.body) });
  same([status, body.email], [200, entry.email]);
}

async function post(url: string, path: string, body: object) {
  const headers = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
}
