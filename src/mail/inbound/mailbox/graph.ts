// A bounce mailbox by Microsoft Graph: the changes of its folder (delta query), page by page.
import { MINUTE_MS, systemClock } from "../../../base/clock.ts";
import type { MailboxSettings } from "../../../base/config/mailboxes.ts";
import { askGraph, refusalIn, type GraphAccess, type GraphRequest } from "../../../ground/microsoft-graph/graph.ts";
import { oneLine } from "../../emails/refusals/words.ts";
import {
  MailboxFault,
  MOST_BYTES,
  type MailboxAccess,
  type MailboxMessage,
  type NewMessages,
  type OpenMailbox,
} from "./mailbox.ts";

/** `link`: of the page that is read; `done`: the messages of it that were. `at`: when the newest one had arrived. */
type GraphPosition = { readonly link: string; readonly done: readonly string[]; readonly at: string };

const LOOKS_EVERY_MS = MINUTE_MS;
/** A missing permission is not granted within seconds. */
const REFUSED_MS = 5 * MINUTE_MS;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;
const IDS = "$select=id,receivedDateTime&changeType=created";
/** After the delta token has expired, messages are requested by time. */
const FORGOTTEN = 410;
const GONE = 404;

/** @throws MailboxFault */
export async function openGraph({ settings, tokens }: MailboxAccess): Promise<OpenMailbox> {
  const { user, graphUrl, timeoutSeconds } = settings.relay;
  const access = { graphUrl, user: user ?? "", tokens, timeoutMs: timeoutSeconds * 1000 };
  const folder = await folderId(access, settings.folder);
  if (folder === null) throw new MailboxFault(`There is no folder ${settings.folder}`, { waitMs: REFUSED_MS });
  const target = settings.delete
    ? null
    : ((await folderId(access, settings.movedTo)) ?? (await newFolder(access, settings)));
  return new GraphMailbox(access, folder, target);
}

type Folders = { readonly value: readonly { readonly id: string }[] };

/** One of the folders that every mailbox has, by the name that Graph gives it, or one at the top. */
async function folderId(access: GraphAccess, name: string): Promise<string | null> {
  if (name.toLowerCase() === "inbox") return "inbox";
  const filter = encodeURIComponent(`displayName eq '${name.replaceAll("'", "''")}'`);
  const path = `/mailFolders?$select=id&$filter=${filter}`;
  const { value } = await fromGraph(access, { path }, jsonIn<Folders>);
  return value[0]?.id ?? null;
}

async function newFolder(access: GraphAccess, { movedTo }: MailboxSettings): Promise<string> {
  const body = { type: "application/json", text: JSON.stringify({ displayName: movedTo }) };
  const request = { method: "POST", path: "/mailFolders", body } as const;
  return (await fromGraph(access, request, jsonIn<{ readonly id: string }>)).id;
}

type ChangesPage = {
  readonly value: readonly { readonly id: string; readonly receivedDateTime?: string }[];
  readonly "@odata.nextLink"?: string;
  readonly "@odata.deltaLink"?: string;
};

class GraphMailbox implements OpenMailbox {
  readonly looksEveryMs = LOOKS_EVERY_MS;
  #isOpen = true;

  constructor(
    readonly access: GraphAccess,
    readonly folder: string,
    /** The folder that reports go to; null = they are deleted. */
    readonly target: string | null,
  ) {}

  isOpen = () => this.#isOpen;
  close = () => void (this.#isOpen = false);

  begin = async (nowMs: number) => {
    const at = new Date(nowMs).toISOString();
    return JSON.stringify({ link: this.#since(at), done: [], at } satisfies GraphPosition);
  };

  newAfter = async (position: string): Promise<NewMessages> => {
    const from = JSON.parse(position) as GraphPosition;
    const page = await this.#page(from);
    const link = page["@odata.nextLink"] ?? page["@odata.deltaLink"] ?? from.link;
    const isNew = page.value.filter(
      ({ id, receivedDateTime }) => receivedDateTime !== undefined && !from.done.includes(id),
    );
    const messages: MailboxMessage[] = [];
    let [done, at] = [from.done, from.at];
    for (const { id, receivedDateTime = at } of isNew) {
      [done, at] = [[...done, id], receivedDateTime > at ? receivedDateTime : at];
      messages.push({ id, position: JSON.stringify({ link: from.link, done, at }), bytes: () => this.#bytes(id) });
    }
    const end = JSON.stringify({ link, done: [], at } satisfies GraphPosition);
    return { messages, end, hasMore: page["@odata.nextLink"] !== undefined };
  };

  clear = (id: string) => {
    const path = `/messages/${encodeURIComponent(id)}`;
    const body = { type: "application/json", text: JSON.stringify({ destinationId: this.target }) };
    const request: GraphRequest =
      this.target === null ? { method: "DELETE", path } : { method: "POST", path: `${path}/move`, body };
    return fromGraph(this.access, request, async (answer) => {
      if (!answer.ok && answer.status !== GONE) throw await faultIn(answer);
      await answer.body?.cancel();
    });
  };

  #since(at: string): string {
    const { graphUrl, user } = this.access;
    const filter = encodeURIComponent(`receivedDateTime gt ${at}`);
    const place = `${graphUrl}/v1.0/users/${encodeURIComponent(user)}/mailFolders/${encodeURIComponent(this.folder)}`;
    return `${place}/messages/delta?${IDS}&$filter=${filter}`;
  }

  async #page({ link, at }: GraphPosition): Promise<ChangesPage> {
    const page = await fromGraph(this.access, { path: link }, async (answer) => {
      if (answer.status !== FORGOTTEN) return jsonIn<ChangesPage>(answer);
      await answer.body?.cancel();
      return null;
    });
    return page ?? fromGraph(this.access, { path: this.#since(at) }, jsonIn<ChangesPage>);
  }

  #bytes(id: string): Promise<Uint8Array | "large" | "gone"> {
    return fromGraph(this.access, { path: `/messages/${encodeURIComponent(id)}/$value` }, async (answer) => {
      if (answer.status === GONE) return "gone";
      if (!answer.ok) throw await faultIn(answer);
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of answer.body ?? []) {
        size += chunk.length;
        if (size > MOST_BYTES) return "large";
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    });
  }
}

/** `read`: of an answer with any status, whose body may still end early. @throws MailboxFault */
async function fromGraph<Result>(
  access: GraphAccess,
  request: GraphRequest,
  read: (answer: Response) => Promise<Result>,
): Promise<Result> {
  try {
    const answer = await askGraph(access, request);
    if ("fault" in answer) throw new MailboxFault(answer.fault);
    return await read(answer);
  } catch (error) {
    if (error instanceof MailboxFault) throw error;
    throw new MailboxFault(oneLine(`Microsoft Graph does not answer: ${(error as Error).message}`), { cause: error });
  }
}

async function jsonIn<Answer>(answer: Response): Promise<Answer> {
  if (!answer.ok) throw await faultIn(answer);
  return (await answer.json()) as Answer;
}

async function faultIn(answer: Response): Promise<MailboxFault> {
  const { status, words, waitMs } = await refusalIn(answer, systemClock.nowMs());
  const isRefused = status === 401 || status === 403 || status === 404;
  return new MailboxFault(oneLine(words), { waitMs: isRefused ? REFUSED_MS : Math.min(waitMs, LONGEST_WAIT_MS) });
}
