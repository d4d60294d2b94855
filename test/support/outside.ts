// Posthorn with its door for email from outside open, and a server elsewhere that brings mail to it.
import { connect, type Socket } from "node:net";
import { readFileSync } from "node:fs";
import { createPublicKey } from "node:crypto";
import { sign } from "../../src/sending/carrier/message/dkim.ts";
import { freePort } from "./free-port.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "./posthorn.ts";
import { TableResolver, type Zone } from "./resolver.ts";
import { mayBeShared, workspace } from "./workspace.ts";

export type House = { readonly posthorn: Posthorn; readonly port: number };

const PRIVATE_KEY = readFileSync(new URL("certificates/dkim.key.pem", import.meta.url), "utf8");
const PUBLIC_KEY = createPublicKey(PRIVATE_KEY).export({ type: "spki", format: "der" }).toString("base64");

/** What elsewhere.test publishes: mail comes from this machine, is signed, and anything else is forged. */
export const ELSEWHERE: Readonly<Record<string, Zone>> = {
  "elsewhere.test": { TXT: ["v=spf1 ip4:127.0.0.1 -all"], MX: ["mx.elsewhere.test"] },
  "key._domainkey.elsewhere.test": { TXT: [`v=DKIM1; k=rsa; p=${PUBLIC_KEY}`] },
  "_dmarc.elsewhere.test": { TXT: ["v=DMARC1; p=reject"] },
};

export async function startHouse(options: StartOptions = {}): Promise<House> {
  if (mayBeShared(options)) {
    const posthorn = await workspace({ resolver: new TableResolver(ELSEWHERE), ...options, smtp: ["inboundPort"] });
    return { posthorn, port: posthorn.ports.inboundPort };
  }
  const port = await freePort();
  const config = { ...options.config, smtp: { inboundPort: port, ...options.config?.smtp } };
  const resolver = options.resolver ?? new TableResolver(ELSEWHERE);
  return { posthorn: await startPosthorn({ ...options, resolver, config }), port };
}

export type Envelope = { readonly from?: string; readonly to?: readonly string[] };

export const LETTER = `From: Ada Lovelace <ada@elsewhere.test>
To: Support <help@example.test>
Subject: Hello
Message-ID: <first@elsewhere.test>
Date: Sun, 01 Mar 2026 09:00:00 +0000

How are you?
`;

/** Line ends as they go over the wire. */
export function wire(text: string): Buffer {
  return Buffer.from(text.replace(/\r?\n/g, "\r\n"));
}

export function signed(text: string, domain = "elsewhere.test"): Promise<Buffer> {
  return sign(
    wire(text),
    { domain, selector: "key", privateKeyPem: PRIVATE_KEY },
    Date.parse("2026-03-01T09:00:00.000Z"),
  );
}

/** A connection on which a test speaks for itself. */
export class Caller implements Disposable {
  readonly #socket: Socket;
  readonly #replies: AsyncGenerator<string>;

  constructor(port: number) {
    this.#socket = connect({ port });
    this.#replies = repliesOf(this.#socket);
  }

  /** The next reply; "" once the other side has hung up. */
  async heard(): Promise<string> {
    return (await this.#replies.next()).value ?? "";
  }

  /** Sends the bytes and answers the reply to them. */
  say(bytes: string | Buffer): Promise<string> {
    this.#socket.write(bytes);
    return this.heard();
  }

  /** Greeting, envelope and DATA. @throws Error if any of it is refused */
  async open({ from = "ada@elsewhere.test", to = ["help@example.test"] }: Envelope = {}): Promise<void> {
    const commands = [
      "EHLO mx.elsewhere.test",
      `MAIL FROM:<${from}>`,
      ...to.map((address) => `RCPT TO:<${address}>`),
      "DATA",
    ];
    await this.heard();
    for (const command of commands) {
      const reply = await this.say(`${command}\r\n`);
      if (!/^(250|354)/.test(reply)) throw new Error(`${command}: ${reply}`);
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Brings one message; answers the reply to it. */
export async function bring(
  { port }: Pick<House, "port">,
  message: string | Buffer,
  envelope: Envelope = {},
): Promise<string> {
  using caller = new Caller(port);
  await caller.open(envelope);
  return await caller.say(stuffed(typeof message === "string" ? wire(message) : message));
}

/** RFC 5321 §4.5.2. */
function stuffed(message: Buffer): Buffer {
  const text = message.toString("latin1").replace(/^\./gm, "..");
  return Buffer.from(`${text}${text.endsWith("\r\n") ? "" : "\r\n"}.\r\n`, "latin1");
}

async function* repliesOf(socket: Socket): AsyncGenerator<string> {
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
    for (let reply; (reply = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(text)?.[0]); text = text.slice(reply.length))
      yield reply.trimEnd();
  }
}

/** What email.received told, in order. */
export async function received(posthorn: Posthorn): Promise<Json[]> {
  await posthorn.settle();
  return (await posthorn.events()).filter(({ name }) => name === "email.received").map(({ data }) => data);
}
