// A bounce mailbox by IMAP (RFC 9051, RFC 3501): one connection that stays in IDLE while there is nothing to do.
import { readFileSync } from "node:fs";
import { ImapFlow, type ImapFlowError, type ImapFlowOptions, type SearchObject } from "imapflow";
import { DAY_MS, MINUTE_MS } from "../../../base/clock.ts";
import type { MailboxSettings } from "../../../base/config/mailboxes.ts";
import { oneLine } from "../../emails/refusals/words.ts";
import {
  MailboxFault,
  MOST_A_LOOK,
  MOST_BYTES,
  type MailboxAccess,
  type MailboxMessage,
  type OpenMailbox,
} from "./mailbox.ts";

/** `at`: when the message arrived there, for a server that numbers its messages anew. */
type ImapPosition = { readonly validity: string; readonly uid: number; readonly at: string };

/** In case the server reports nothing. */
const LOOKS_EVERY_MS = 5 * MINUTE_MS;
/** More attempts to log in may lock the account. */
const REFUSED_MS = 5 * MINUTE_MS;
/** After so long without a command, the connection goes into IDLE. */
const IDLE_AFTER_MS = 1_000;
/** The numbers of a folder's messages come in one line. */
const MOST_LINE_BYTES = 16 * 1024 * 1024;

/** @throws MailboxFault */
export async function openImap({ settings, tokens, onNews }: MailboxAccess): Promise<OpenMailbox> {
  const { relay } = settings;
  if (relay.auth === "password") return logIn(settings, { pass: relay.password ?? "" }, onNews);
  const first = await tokens(null);
  if ("fault" in first) throw new MailboxFault(first.fault);
  try {
    return await logIn(settings, { accessToken: first.token }, onNews);
  } catch (error) {
    // It may have been revoked: another one is requested once.
    const other = isLoginRefused(error) ? await tokens(first.token) : first;
    if ("fault" in other || other.token === first.token) throw error;
    return logIn(settings, { accessToken: other.token }, onNews);
  }
}

type ImapLogin = Pick<NonNullable<ImapFlowOptions["auth"]>, "pass" | "accessToken">;

async function logIn(settings: MailboxSettings, login: ImapLogin, onNews: () => void): Promise<OpenMailbox> {
  const client = new ImapFlow(optionsOf(settings, login));
  // Without a listener, an error would end the process. The command in hand fails by itself.
  client.on("error", () => undefined);
  try {
    await client.connect();
    if (!settings.delete) await client.mailboxCreate(settings.movedTo);
    const { readOnly } = await client.mailboxOpen(settings.folder);
    if (readOnly) throw new MailboxFault(`The folder ${settings.folder} can only be read, not changed`);
  } catch (error) {
    client.close();
    throw faultOf(error);
  }
  client.on("exists", onNews);
  client.on("close", onNews);
  return new ImapMailbox(client, settings);
}

function optionsOf({ relay }: MailboxSettings, login: ImapLogin): ImapFlowOptions {
  const { host, port, tls, verifyCertificate, caFile, user, timeoutSeconds } = relay;
  const timeoutMs = timeoutSeconds * 1000;
  return {
    ...{ host: host ?? "", port, secure: tls === "implicit", doSTARTTLS: tls === "starttls" },
    tls: { rejectUnauthorized: verifyCertificate, ...(caFile === null ? {} : { ca: readFileSync(caFile, "utf8") }) },
    auth: { user: user ?? "", ...login },
    ...{ logger: false, disableCompression: true, maxIdleTime: LOOKS_EVERY_MS, autoIdleDelay: IDLE_AFTER_MS },
    ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    ...{
      maxLiteralSize: MOST_BYTES + MOST_LINE_BYTES,
      maxResponseSize: 2 * MOST_BYTES,
      maxLineLength: MOST_LINE_BYTES,
    },
  };
}

type FoundMessage = { readonly uid: number; readonly size: number; readonly arrivedAt: Date };

class ImapMailbox implements OpenMailbox {
  readonly looksEveryMs = LOOKS_EVERY_MS;

  constructor(
    readonly client: ImapFlow,
    readonly settings: MailboxSettings,
  ) {}

  isOpen = () => this.client.usable;
  close = () => this.client.close();

  begin = (nowMs: number) =>
    attempted(async () => {
      const { uidNext } = this.#folder;
      return JSON.stringify(this.#positionAt(uidNext - 1, new Date(nowMs)));
    });

  newAfter = (position: string) =>
    attempted(async () => {
      const from = JSON.parse(position) as ImapPosition;
      const found =
        from.validity === this.#validity ? await this.#numberedAfter(from.uid) : await this.#arrivedAfter(from);
      return { messages: found.slice(0, MOST_A_LOOK), hasMore: found.length > MOST_A_LOOK };
    });

  clear = (id: string) =>
    attempted(async () => {
      const [validity, uid = ""] = id.split(":");
      if (validity !== this.#validity) return;
      const { delete: isDeleted, movedTo } = this.settings;
      const isDone = isDeleted
        ? await this.client.messageDelete(uid, { uid: true })
        : await this.client.messageMove(uid, movedTo, { uid: true });
      if (!isDone)
        throw new MailboxFault(isDeleted ? "A message cannot be deleted" : `A message cannot be moved to ${movedTo}`);
    });

  async #numberedAfter(uid: number): Promise<MailboxMessage[]> {
    // "7:*" always has the newest message, also if its number is smaller.
    const uids = (await this.#search({ uid: `${uid + 1}:*` })).filter((one) => one > uid);
    return this.#messages(uids.slice(0, MOST_A_LOOK + 1));
  }

  /** The server has renumbered its messages: their times say which are new. */
  async #arrivedAfter({ at }: ImapPosition): Promise<MailboxMessage[]> {
    const lastMs = Date.parse(at);
    return this.#messages(await this.#search({ since: new Date(lastMs - DAY_MS) }), lastMs);
  }

  async #search(query: SearchObject): Promise<number[]> {
    const found = (await this.client.search(query, { uid: true })) || [];
    return found.toSorted((one, other) => one - other);
  }

  async #messages(uids: readonly number[], afterMs = -Infinity): Promise<MailboxMessage[]> {
    if (uids.length === 0) return [];
    const wanted = { uid: true, size: true, internalDate: true };
    const found = await this.client.fetchAll(uids.join(","), wanted, { uid: true });
    return found
      .toSorted((one, other) => one.uid - other.uid)
      .map(({ uid, size = 0, internalDate }) => ({ uid, size, arrivedAt: new Date(internalDate ?? 0) }))
      .filter(({ arrivedAt }) => arrivedAt.getTime() > afterMs)
      .map((one) => this.#message(one));
  }

  #message({ uid, size, arrivedAt }: FoundMessage): MailboxMessage {
    return {
      id: `${this.#validity}:${uid}`,
      position: JSON.stringify(this.#positionAt(uid, arrivedAt)),
      bytes: async () => {
        if (size > MOST_BYTES) return "large";
        const found = await attempted(() => this.client.fetchOne(`${uid}`, { source: true }, { uid: true }));
        return (found && found.source) || "gone";
      },
    };
  }

  #positionAt(uid: number, at: Date): ImapPosition {
    return { validity: this.#validity, uid, at: at.toISOString() };
  }

  get #validity(): string {
    return `${this.#folder.uidValidity}`;
  }

  get #folder() {
    const { mailbox } = this.client;
    if (!mailbox) throw new MailboxFault("The connection to the mailbox is gone");
    return mailbox;
  }
}

async function attempted<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw faultOf(error);
  }
}

function isLoginRefused(error: unknown): boolean {
  return error instanceof MailboxFault && Reflect.get(error.cause ?? {}, "authenticationFailed") === true;
}

/** In the server's own words, where it gives any. */
function faultOf(error: unknown): MailboxFault {
  if (error instanceof MailboxFault) return error;
  const { message, responseText, authenticationFailed } = error as ImapFlowError & { authenticationFailed?: boolean };
  const words = oneLine(responseText ?? message);
  if (!authenticationFailed) return new MailboxFault(words, { cause: error });
  return new MailboxFault(`It does not accept our login: ${words}`, { cause: error, waitMs: REFUSED_MS });
}
