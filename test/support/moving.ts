// Other products as their APIs are documented, and `posthorn import-from` against them.
import { mkdtempSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/whole/main.ts";
import type { Ended } from "./cli.ts";
import type { Json, Posthorn } from "./posthorn.ts";
import { Receiver, type Received } from "./receiver.ts";
import { ask } from "./scenario.ts";

type Answers = Readonly<Record<string, (query: URLSearchParams, request: Received) => unknown>>;

/** Answers GETs by their path; `fault` may answer first. */
export class OldProduct extends Receiver {
  fault: (request: Received, count: number) => Response | null | Promise<Response | null> = () => null;

  constructor(answers: Answers, prefix = "") {
    super();
    this.answer = async (request, count) => {
      const fault = await this.fault(request, count);
      if (fault) return fault;
      const path = request.url.pathname;
      const answer = path.startsWith(prefix) ? answers[path.slice(prefix.length)] : undefined;
      if (request.method !== "GET" || !answer) return Response.json({ message: "Not Found" }, { status: 404 });
      return Response.json(answer(request.url.searchParams, request));
    };
  }

  /** How often it was asked for the path. */
  asked(path: string): number {
    return this.received.filter((one) => one.url.pathname === path).length;
  }
}

export const KEY = "reader:very-secret-key";

/** The command in a directory of its own, with the key in a file. */
export class Mover {
  readonly directory: string;
  /** How long it was told to wait, without the waits for imports. */
  readonly pauses: number[] = [];
  readonly #keyFile: string;
  /** Called at each wait; a promise that stays open ends the command as a kill does. */
  atPause: (ms: number) => Promise<unknown> = () => this.posthorn.settle();

  constructor(
    private readonly posthorn: Posthorn,
    folder: string,
    private readonly product: string,
    key = KEY,
  ) {
    this.directory = mkdtempSync(join(folder, "move-"));
    this.#keyFile = this.file("key.txt");
    writeFileSync(this.#keyFile, `${key}\n`);
  }

  file(name: string): string {
    return join(this.directory, name);
  }

  /** Whether the file of its state has the text; false if there is none. */
  stateHas(text: string): boolean {
    return existsSync(this.file("state.json")) && readFileSync(this.file("state.json"), "utf8").includes(text);
  }

  run(...options: readonly string[]): Promise<Ended> {
    return this.runAs(this.product, "--key-file", this.#keyFile, "--state", this.file("state.json"), ...options);
  }

  /** With no other options. */
  async runAs(...words: readonly string[]): Promise<Ended> {
    const [out, err]: [string[], string[]] = [[], []];
    const { server, keys } = this.posthorn;
    const code = await run(["import-from", ...words], {
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      ask: async () => "",
      input: async () => readFileSync(this.#keyFile),
      env: { POSTHORN_URL: server.url, POSTHORN_KEY: keys.secret },
      untilStopped: () => Promise.resolve(),
      onHangUp: () => {},
      pause: (ms) => {
        if (ms !== 250) this.pauses.push(ms);
        return this.atPause(ms);
      },
    });
    return { code, out: out.join("\n"), err: err.join("\n") };
  }

  /** A run that must succeed: its report. */
  async done(...options: readonly string[]): Promise<Json> {
    const { code, out, err } = await this.run("--json", ...options);
    if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
    return JSON.parse(out);
  }
}

export type PersonHere = {
  readonly subscribed: boolean;
  readonly status: string;
  readonly suppressed: string | null;
  readonly data: Json;
  readonly topics: Json;
};

/** Everybody who is here, by address. */
export async function peopleHere(posthorn: Posthorn): Promise<Record<string, PersonHere>> {
  const { body } = await ask(posthorn, "GET /contacts?limit=100");
  return Object.fromEntries(
    body.data.map(({ email, subscribed, status, suppressed, data, topics }: Json) => [
      email,
      { subscribed, status, suppressed, data, topics },
    ]),
  );
}

/** The addresses in the segment of this name. */
export async function membersHere(posthorn: Posthorn, name: string): Promise<string[]> {
  const { body: segments } = await ask(posthorn, "GET /segments");
  const { body } = await ask(posthorn, `GET /segments/${segments.find((one: Json) => one.name === name).id}/contacts`);
  return body.data.map(({ email }: Json) => email).toSorted();
}

/** Why something did not come, by what it is. */
export function gapsIn({ gaps }: Json): string[] {
  return gaps.map(({ what, why, count }: Json) => `${what} ${count}: ${why}`);
}
