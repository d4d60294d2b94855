// The server that a move writes to, by calls of its API: with patience, and with imports of files.
import type { Pause } from "./calls.ts";
import { fieldsOf, itemsIn, textOf, type AnswerFields } from "./fields.ts";
import type { MoveState } from "./record.ts";

export type OwnAnswer = { readonly status: number; readonly body: unknown };

/** A call of the API, such as "POST /topics". `once`: its Idempotency-Key. */
export type OwnCall = (route: string, body: object | undefined, once: string | undefined) => Promise<OwnAnswer>;

/** A call that the server refuses, in its words. */
export class RefusedCallError extends Error {
  override readonly name = "RefusedCallError";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const POLL_MS = 250;
/** Together they take a minute, after which the server takes as many requests again. */
const MOST_TRIES = 9;

/** `name`: of the file. `fields`: of the form beside it. `once`: the same file with it is the same import. */
export type ImportFile = {
  readonly name: string;
  readonly lines: readonly string[];
  readonly fields?: Readonly<Record<string, string>>;
  readonly once: string;
};

export class MoveServer {
  /** `isDry`: nothing is written, which those who call this look after. */
  constructor(
    private readonly call: OwnCall,
    private readonly pause: Pause,
    readonly isDry: boolean,
  ) {}

  /** Waits while the server is away or busy. `body`: fields, or what makes a form anew. */
  async tryTo(route: string, body?: object | (() => FormData), once?: string): Promise<OwnAnswer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.call(route, typeof body === "function" ? body() : body, once);
      const isBusy = answer.status === 429 || answer.status >= 500;
      if (!isBusy || tries === MOST_TRIES) return answer;
      await this.pause(POLL_MS * 2 ** tries);
    }
  }

  /** @throws RefusedCallError */
  async ask(route: string, body?: object | (() => FormData), once?: string): Promise<unknown> {
    const answer = await this.tryTo(route, body, once);
    if (answer.status < 400) return answer.body;
    throw new RefusedCallError(answer.status, `${route.split("?")[0]}: ${refusalIn(answer)}`);
  }

  /** The result that an import of the file would have. */
  async check(path: string, file: ImportFile): Promise<AnswerFields> {
    return fieldsOf(await this.ask(`POST ${path}/check`, () => formOf(file)));
  }

  /** Imports the file, and waits for the end of it. Answers its result. @throws RefusedCallError, also if it fails */
  async import(path: string, file: ImportFile): Promise<{ readonly id: string; readonly result: AnswerFields }> {
    const hash = new Bun.CryptoHasher("sha256").update(file.lines.join("")).digest("hex");
    const opened = fieldsOf(await this.ask(`POST ${path}`, () => formOf(file), `${file.once} ${hash}`));
    const id = textOf(opened["jobId"]);
    for (;;) {
      const { status, failedReason, result } = fieldsOf(await this.ask(`GET ${path}/${id}`));
      if (status === "COMPLETED") return { id, result: fieldsOf(result) };
      if (status === "FAILED") throw new RefusedCallError(409, `The import ${id} has failed: ${textOf(failedReason)}`);
      await this.pause(POLL_MS);
    }
  }
}

/** A move while it goes on: where it writes, and how far it is. */
export type OpenMove = { readonly server: MoveServer; readonly state: MoveState };

/** Why the server refuses, in its words. */
export function refusalIn({ status, body }: OwnAnswer): string {
  const error = fieldsOf(fieldsOf(body)["error"]);
  const [first] = itemsIn(error["errors"] ?? []);
  return textOf(first?.["message"]) || textOf(error["message"]) || `The server answers ${status}.`;
}

/** Its fields stand before the file. */
function formOf({ name, lines, fields = {} }: ImportFile): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new File([...lines], `${name}.csv`, { type: "text/csv" }));
  return form;
}
