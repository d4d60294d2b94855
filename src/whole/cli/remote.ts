// `posthorn send`, `emails`, `contacts` and `track`: calls of people and scripts to a server, by its API.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { MINUTE_MS } from "../../base/clock.ts";
import { misused } from "./arguments.ts";
import { printList, printOne } from "./print.ts";
import { askRemote, remoteOf, REMOTE_OPTIONS } from "./remote-call.ts";
import type { VerbCall, Option, Verb } from "./verb.ts";

const LIMIT: Option = { value: "N", help: "How many, newest first, up to 100; default: 20" };
const STANDARD_LIMIT = "20";
const SUBSCRIBED: Option = { value: "yes|no", help: "Whether the contact is subscribed; default: as before" };

const SEND: Verb = {
  name: "send",
  summary: "Sends an email",
  isRemote: true,
  notes: ["Without --text, --body and --template, the text is read from the standard input."],
  options: {
    to: { value: "ADDRESS", several: true, needed: true, help: "A recipient; repeat it for more" },
    cc: { value: "ADDRESS", several: true, help: "Who gets a copy; everybody gets the same message then" },
    bcc: { value: "ADDRESS", several: true, help: "Who gets a copy that the others do not see" },
    from: { value: "ADDRESS", help: "The sender; the template may name one" },
    reply: { value: "ADDRESS", help: "Where replies go" },
    subject: { value: "TEXT", help: "The subject; the template may name one" },
    text: { value: "TEXT", help: "The email as plain text" },
    body: { value: "HTML", help: "The email as HTML" },
    template: { value: "ID|ALIAS", help: "A template, such as receipt, or receipt@3 for its version 3" },
    data: { value: "JSON", help: `The variables, such as '{"order": "4711"}'` },
    attach: { value: "FILE", several: true, help: "A file to attach; repeat it for more" },
    tag: { value: "NAME", several: true, help: "A tag; repeat it for more" },
    at: { value: "TIME", help: "When to send it, such as 2027-01-31T09:00:00Z; default: now" },
    "idempotency-key": { value: "KEY", help: "The same email with the same key within a day is sent once" },
    ...REMOTE_OPTIONS,
  },
  run: send,
};

const EMAILS: Verb = {
  name: "emails",
  argument: "[ID]",
  summary: "Lists emails, or shows one with what happened to it",
  isRemote: true,
  options: {
    search: { value: "TEXT", help: "Only those with it in recipient or subject" },
    status: { value: "STATE", help: "Only those in it, such as DELIVERED" },
    tag: { value: "NAME", several: true, help: "Only those with it; repeat it for more" },
    limit: LIMIT,
    ...REMOTE_OPTIONS,
  },
  run: emails,
};

const CONTACTS: Verb = {
  name: "contacts",
  argument: "[ADDRESS]",
  summary: "Lists contacts, or shows, creates or changes one",
  isRemote: true,
  notes: ["With an address, --data and --subscribed create the contact or change it."],
  options: {
    data: { value: "JSON", help: "Data to merge into the contact's; null deletes a key" },
    subscribed: SUBSCRIBED,
    search: { value: "TEXT", help: "Only those with it in their address or data" },
    limit: LIMIT,
    ...REMOTE_OPTIONS,
  },
  run: contacts,
};

const TRACK: Verb = {
  name: "track",
  argument: "EVENT",
  summary: "Records an event of a contact, such as order.placed",
  isRemote: true,
  options: {
    email: { value: "ADDRESS", needed: true, help: "Whose event it is; a new address becomes a contact" },
    data: { value: "JSON", help: "Data of the event" },
    subscribed: SUBSCRIBED,
    ...REMOTE_OPTIONS,
  },
  run: track,
};

const TEST_ADVANCE: Verb = {
  name: "test advance",
  argument: "TIME",
  summary: "Moves the clock of a server for tests, and prints what happened",
  isRemote: true,
  notes: [
    "The server was started with --test-clock. TIME is a length such as 90s, 15m, 4h or 30d, or a moment such as",
    "2027-01-31T09:00:00Z.",
  ],
  options: REMOTE_OPTIONS,
  run: advance,
};

export const REMOTE_VERBS: readonly Verb[] = [SEND, EMAILS, CONTACTS, TRACK, TEST_ADVANCE];

type SendAnswer = { readonly data: { readonly emails: readonly { contact: { email: string }; email: string }[] } };

async function send(call: VerbCall): Promise<void> {
  const template = call.text("template");
  const body = call.text("body");
  const isWritten = [template, body, call.text("text")].some((one) => one !== undefined);
  const text = isWritten ? call.text("text") : Buffer.from((await call.io.input?.()) ?? []).toString();
  const attachments = call.texts("attach").map((file) => {
    return { filename: basename(file), content: readFileSync(file).toString("base64") };
  });
  const request = given({
    to: call.texts("to"),
    cc: many(call.texts("cc")),
    bcc: many(call.texts("bcc")),
    from: call.text("from"),
    reply: call.text("reply"),
    subject: call.text("subject"),
    text,
    body,
    template,
    data: dataIn(call, SEND),
    tags: many(call.texts("tag")),
    attachments: many(attachments),
    sendAt: call.text("at"),
  });
  const { data } = await askRemote<SendAnswer>(remoteOf(call), "POST /v1/send", request, call.text("idempotency-key"));
  const row = (one: SendAnswer["data"]["emails"][number]) => ({ id: one.email, to: one.contact.email });
  printList(call, data.emails.map(row), (one) => one, "");
}

type Email = {
  readonly id: string;
  readonly status: string;
  readonly to: string | null;
  readonly subject: string | null;
  readonly createdAt: string;
  readonly error?: string | null;
  readonly timeline?: readonly { readonly at: string; readonly what: string }[];
};

async function emails(call: VerbCall): Promise<void> {
  if (call.argument === "") await listEmails(call);
  else {
    const email = await askRemote<Email>(remoteOf(call), `GET /emails/${encodeURIComponent(call.argument)}`);
    printOne(call, email, () => linesOf(email));
  }
}

async function listEmails(call: VerbCall): Promise<void> {
  const query = queryOf(call, ["search", "status", "limit"]);
  call.texts("tag").forEach((tag) => query.append("tag", tag));
  const { data } = await askRemote<{ data: Email[] }>(remoteOf(call), `GET /emails?${query}`);
  printList(call, data, emailRow, "No such emails.");
}

function emailRow({ id, status, createdAt, to, subject }: Email) {
  return { id, state: status, created: createdAt, to: to ?? "", subject: subject ?? "" };
}

type RemoteContact = {
  readonly id: string;
  readonly email: string;
  readonly subscribed: boolean;
  readonly data: object;
  readonly createdAt: string;
};

async function contacts(call: VerbCall): Promise<void> {
  const changes = given({ subscribed: subscribedIn(call, CONTACTS), data: dataIn(call, CONTACTS) });
  if (call.argument === "") await listContacts(call, changes);
  else {
    const contact = await contactAt(call, changes);
    printOne(call, contact, () => linesOf(contact));
  }
}

function contactAt(call: VerbCall, changes: object): Promise<RemoteContact> {
  return Object.keys(changes).length > 0
    ? askRemote(remoteOf(call), "POST /contacts", { email: call.argument, ...changes })
    : askRemote(remoteOf(call), `GET /contacts/by-email/${encodeURIComponent(call.argument)}`);
}

async function listContacts(call: VerbCall, changes: object): Promise<void> {
  if (Object.keys(changes).length > 0) throw misused(CONTACTS, "needs ADDRESS with --data and --subscribed");
  const query = queryOf(call, ["search", "limit"]);
  const { data } = await askRemote<{ data: RemoteContact[] }>(remoteOf(call), `GET /contacts?${query}`);
  printList(call, data, contactRow, "No such contacts.");
}

function contactRow({ id, email, subscribed, createdAt }: RemoteContact) {
  return { id, email, subscribed: subscribed ? "yes" : "no", created: createdAt };
}

type TrackAnswer = { readonly data: { readonly event: string; readonly contact: string } };

async function track(call: VerbCall): Promise<void> {
  const request = given({
    event: call.argument,
    email: call.text("email"),
    data: dataIn(call, TRACK),
    subscribed: subscribedIn(call, TRACK),
  });
  const { data } = await askRemote<TrackAnswer>(remoteOf(call), "POST /v1/track", request);
  printOne(call, data, () => `Recorded the event ${data.event} of the contact ${data.contact}.`);
}

function queryOf(call: VerbCall, names: readonly string[]): URLSearchParams {
  const query = new URLSearchParams({ limit: STANDARD_LIMIT });
  for (const name of names) if (call.text(name) !== undefined) query.set(name, call.text(name) as string);
  return query;
}

/** One field a line; nested values are JSON. */
function linesOf(record: object): string {
  const fields = Object.entries(record).filter(([, value]) => value !== null);
  const width = Math.max(...fields.map(([name]) => name.length));
  const cellText = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return fields
    .flatMap(([name, value]) => {
      if (!Array.isArray(value) || value.length === 0) return [`${name.padEnd(width)}  ${cellText(value)}`];
      return [name, ...value.map((one) => `  ${cellText(one)}`)];
    })
    .join("\n");
}

function dataIn(call: VerbCall, verb: Verb): object | undefined {
  const text = call.text("data");
  if (text === undefined) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === "object" && data !== null && !Array.isArray(data)) return data;
  } catch {
    // Reported below.
  }
  throw misused(verb, `needs a JSON object after --data, such as '{"order": "4711"}'`);
}

function subscribedIn(call: VerbCall, verb: Verb): boolean | undefined {
  const text = call.text("subscribed");
  if (text !== undefined && text !== "yes" && text !== "no") throw misused(verb, "needs yes or no after --subscribed");
  return text === undefined ? undefined : text === "yes";
}

function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function many<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

type ClockMoveAnswer = {
  readonly data: {
    readonly now: string;
    readonly happened: readonly { readonly at: string; readonly name: string; readonly email: string | null }[];
    readonly hasMore: boolean;
  };
};

/** Years of hourly work take minutes. */
const LONGEST_MOVE_MS = 60 * MINUTE_MS;

async function advance(call: VerbCall): Promise<void> {
  const isMoment = call.argument.includes("T");
  const body = isMoment ? { to: call.argument } : { advance: call.argument };
  const { data } = await askRemote<ClockMoveAnswer>(
    { ...remoteOf(call), waitMs: LONGEST_MOVE_MS },
    "POST /test/clock",
    body,
  );
  const lines = data.happened.map(({ at, name, email }) => [at, name, email ?? ""].join("  ").trimEnd());
  if (data.hasMore) lines.unshift("More than 1,000 events have happened; these are the last.");
  printOne(call, data, () => [...lines, `It is ${data.now} now.`].join("\n"));
}
