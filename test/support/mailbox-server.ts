// A mailbox server for tests (RFC 3501, with IDLE, MOVE, UIDPLUS and XOAUTH2), as far as a reader of mailboxes asks for
// it.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";

type Kept = { readonly uid: number; readonly raw: Buffer; readonly at: Date; readonly flags: Set<string> };
type Folder = { validity: number; next: number; messages: Kept[] };

export type MailboxServerOptions = {
  readonly tls?: "implicit" | "starttls";
  /** Extensions that it lacks. */
  readonly without?: readonly ("IDLE" | "MOVE" | "STARTTLS")[];
};

const pem = (name: string) => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export class MailboxServer implements AsyncDisposable {
  readonly folders = new Map<string, Folder>([["INBOX", { validity: 7, next: 1, messages: [] }]]);
  /** What clients have asked for, without the tags. */
  readonly asked: string[] = [];
  /** The password or the access token that it takes; null = any. */
  secret: string | null = null;
  /** As it says no to a login. */
  refusal = "[AUTHENTICATIONFAILED] Invalid credentials";
  /** Answers a command in its place: a line, or "" to hang up; null = as usual. */
  instead: (command: string) => string | null = () => null;
  /** Called once a client is in IDLE. */
  onIdle: () => void = () => undefined;
  readonly #sessions = new Set<Session>();
  readonly #server: Server;

  private constructor(readonly options: MailboxServerOptions) {
    const serve = (socket: Socket) => {
      const session = new Session(this, socket);
      this.#sessions.add(session);
      socket.on("close", () => this.#sessions.delete(session));
      socket.on("error", () => undefined);
    };
    const keys = { cert: pem("localhost.cert"), key: pem("localhost.key") };
    this.#server = options.tls === "starttls" ? createPlainServer(serve) : createTlsServer(keys, serve);
  }

  static async start(options: MailboxServerOptions = {}): Promise<MailboxServer> {
    const started = new MailboxServer(options);
    await new Promise<void>((resolve) => started.#server.listen(0, "127.0.0.1", resolve));
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The subjects of what is in a folder. */
  subjects(folder = "INBOX"): string[] {
    const { messages } = this.folders.get(folder) ?? { messages: [] };
    return messages.map(({ raw }) => /^Subject: (.*)$/m.exec(raw.toString())?.[1]?.trim() ?? "");
  }

  deliver(text: string | Buffer, at = new Date("2026-03-01T09:00:00Z"), folder = "INBOX"): void {
    const raw = typeof text === "string" ? Buffer.from(text.replace(/\r?\n/g, "\r\n")) : text;
    const into = this.folder(folder);
    into.messages.push({ uid: into.next++, raw, at, flags: new Set() });
    for (const session of this.#sessions) session.tell(folder, into.messages.length);
  }

  /** As after its index was lost: the same messages, with other numbers. */
  renumber(folder = "INBOX"): void {
    const { validity, messages } = this.folder(folder);
    const again = messages.map((one, index) => ({ ...one, uid: 100 + index }));
    this.folders.set(folder, { validity: validity + 1, next: 100 + again.length, messages: again });
    this.hangUp();
  }

  folder(name: string): Folder {
    const folder = this.folders.get(name) ?? { validity: 1, next: 1, messages: [] };
    this.folders.set(name, folder);
    return folder;
  }

  hangUp(): void {
    for (const { socket } of this.#sessions) socket.destroy();
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** Once all but so many clients have hung up. */
  async onlyHas(sessions: number): Promise<void> {
    while (this.#sessions.size > sessions)
      await Promise.race([...this.#sessions].map(({ socket }) => once(socket, "close")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

class Session {
  #text = "";
  #folder: string | null = null;
  #idleTag: string | null = null;
  /** Takes the next line in place of a command. */
  #answer: ((line: string) => void) | null = null;

  constructor(
    readonly server: MailboxServer,
    public socket: Socket,
  ) {
    this.#listen();
    this.#say("* OK ready");
  }

  tell(folder: string, exists: number): void {
    if (this.#idleTag !== null && folder === this.#folder) this.#say(`* ${exists} EXISTS`);
  }

  #listen(): void {
    this.socket.on("data", (bytes: Buffer) => {
      this.#text += bytes.toString("latin1");
      for (let end = this.#text.indexOf("\r\n"); end >= 0; end = this.#text.indexOf("\r\n")) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        this.#take(line);
      }
    });
  }

  #take(line: string): void {
    const answer = this.#answer;
    this.#answer = null;
    if (answer) return answer(line);
    if (this.#idleTag !== null) {
      this.#say(`${this.#idleTag} OK done`);
      this.#idleTag = null;
      return;
    }
    const [, tag = "", command = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    this.server.asked.push(command);
    const instead = this.server.instead(command);
    if (instead === "") return void this.socket.destroy();
    if (instead !== null) return this.#say(`${tag} ${instead}`);
    this.#obey(tag, command);
  }

  #obey(tag: string, command: string): void {
    const [name = "", ...words] = command.split(" ");
    const rest = words.join(" ");
    const verb = name === "UID" ? `UID ${words[0]}` : name;
    if (verb === "CAPABILITY") this.#say(`* CAPABILITY ${this.#capabilities}`);
    else if (verb === "STARTTLS") return this.#startTls(tag);
    else if (verb === "LOGIN") return this.#logIn(tag, /"([^"]*)"$|(\S+)$/.exec(rest)?.slice(1).find(Boolean) ?? "");
    else if (verb === "AUTHENTICATE") return this.#logInByToken(tag, words[1] ?? "");
    else if (verb === "IDLE") return this.#idle(tag);
    else if (verb === "LIST" || verb === "LSUB") this.#list(verb, rest);
    else if (verb === "CREATE") this.server.folder(unquoted(rest));
    else if (verb === "SELECT") this.#select(unquoted(rest));
    else if (verb === "UID SEARCH") this.#search(words.slice(1).join(" "));
    else if (verb === "UID FETCH") this.#fetch(words[1] ?? "", rest);
    else if (verb === "UID MOVE" || verb === "UID COPY")
      this.#move(words[1] ?? "", unquoted(words.slice(2).join(" ")), verb);
    else if (verb === "UID STORE") this.#chosen(words[1] ?? "").forEach(({ flags }) => flags.add("\\Deleted"));
    else if (verb === "UID EXPUNGE")
      this.#remove(this.#chosen(words[1] ?? "").filter(({ flags }) => flags.has("\\Deleted")));
    else if (verb === "LOGOUT") this.#say("* BYE");
    this.#say(`${tag} OK done`);
  }

  get #capabilities(): string {
    const missing = this.server.options.without ?? [];
    const isOpen =
      this.server.options.tls === "starttls" && !(this.socket instanceof TLSSocket) && !missing.includes("STARTTLS");
    const extensions = (["IDLE", "MOVE"] as const).filter((one) => !missing.includes(one));
    return ["IMAP4rev1", "UIDPLUS", "AUTH=XOAUTH2", "SASL-IR", ...extensions, ...(isOpen ? ["STARTTLS"] : [])].join(
      " ",
    );
  }

  #startTls(tag: string): void {
    this.#say(`${tag} OK begin`);
    this.socket.removeAllListeners("data");
    this.socket = new TLSSocket(this.socket, {
      isServer: true,
      cert: pem("localhost.cert"),
      key: pem("localhost.key"),
    });
    this.#listen();
  }

  #logIn(tag: string, secret: string): void {
    const isTaken = this.server.secret === null || this.server.secret === secret;
    this.#say(`${tag} ${isTaken ? "OK welcome" : `NO ${this.server.refusal}`}`);
  }

  /** A refusal comes as JSON first, which the client answers with an empty line. */
  #logInByToken(tag: string, given: string): void {
    const token = /auth=Bearer ([^\x01]*)/.exec(Buffer.from(given, "base64").toString())?.[1] ?? "";
    this.server.asked.push(`TOKEN ${token}`);
    if (this.server.secret === null || this.server.secret === token) return this.#say(`${tag} OK welcome`);
    this.#answer = () => this.#say(`${tag} NO ${this.server.refusal}`);
    this.#say(`+ ${Buffer.from('{"status":"400"}').toString("base64")}`);
  }

  #idle(tag: string): void {
    this.#idleTag = tag;
    this.#say("+ idling");
    this.server.onIdle();
  }

  /** An empty name asks for the delimiter alone. */
  #list(verb: string, rest: string): void {
    const names = rest.endsWith('""')
      ? [""]
      : [...this.server.folders.keys()].filter((name) => rest.includes(`"${name}"`));
    for (const name of names) this.#say(`* ${verb} () "/" "${name}"`);
  }

  #select(name: string): void {
    this.#folder = name;
    const { validity, next, messages } = this.server.folder(name);
    this.#say(`* ${messages.length} EXISTS`);
    this.#say(`* OK [UIDVALIDITY ${validity}] valid`);
    this.#say(`* OK [UIDNEXT ${next}] next`);
    this.#say("* FLAGS (\\Seen \\Deleted)");
  }

  #search(query: string): void {
    const since = /SINCE (\d+)-(\w+)-(\d+)/i.exec(query);
    const sinceMs = since ? Date.UTC(Number(since[3]), MONTHS.indexOf(since[2] ?? ""), Number(since[1])) : -Infinity;
    const set = /UID (\S+)/.exec(query)?.[1] ?? "1:*";
    const found = this.#chosen(set).filter(({ at }) => at.getTime() >= sinceMs);
    this.#say(`* SEARCH ${found.map(({ uid }) => uid).join(" ")}`.trim());
  }

  #fetch(set: string, items: string): void {
    for (const one of this.#chosen(set)) {
      const { uid, raw, at } = one;
      const day = `${String(at.getUTCDate()).padStart(2)}-${MONTHS[at.getUTCMonth()]}-${at.getUTCFullYear()}`;
      const facts = `UID ${uid} RFC822.SIZE ${raw.length} INTERNALDATE "${day} ${at.toISOString().slice(11, 19)} +0000"`;
      const number = this.#messages.indexOf(one) + 1;
      if (!items.includes("BODY")) this.#say(`* ${number} FETCH (${facts})`);
      else {
        this.socket.write(`* ${number} FETCH (${facts} BODY[] {${raw.length}}\r\n`);
        this.socket.write(raw);
        this.#say(")");
      }
    }
  }

  #move(set: string, folder: string, verb: string): void {
    const into = this.server.folder(folder);
    const moved = this.#chosen(set);
    for (const { raw, at } of moved) into.messages.push({ uid: into.next++, raw, at, flags: new Set() });
    if (verb === "UID MOVE") this.#remove(moved);
  }

  #remove(gone: readonly Kept[]): void {
    for (const one of gone) {
      const at = this.#messages.indexOf(one);
      this.#messages.splice(at, 1);
      this.#say(`* ${at + 1} EXPUNGE`);
    }
  }

  get #messages(): Kept[] {
    return this.server.folder(this.#folder ?? "INBOX").messages;
  }

  /** As servers take "9:*" where 7 is the newest: both ends, in either order. */
  #chosen(set: string): Kept[] {
    const newest = this.#messages.at(-1)?.uid ?? 0;
    const ranges = set.split(",").map((part) => {
      const ends = part.split(":").map((end) => (end === "*" ? newest : Number(end)));
      return [Math.min(...ends), Math.max(...ends)] as const;
    });
    return this.#messages.filter(({ uid }) => ranges.some(([low, high]) => uid >= low && uid <= high));
  }

  #say(line: string): void {
    this.socket.write(`${line}\r\n`);
  }
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, "");
}
