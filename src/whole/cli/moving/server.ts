// The server that a move writes to: calls with patience, and imports of files.
import { askRemote, AwayError, type Remote } from "../remote-call.ts";
import type { Pause } from "./calls.ts";
import { fieldsOf, textOf, type AnswerFields } from "./fields.ts";

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
    private readonly remote: Remote,
    private readonly pause: Pause,
    readonly isDry: boolean,
  ) {}

  /** Waits while the server is away or busy. `body`: fields, or what makes a form anew. @throws AwayError, RefusedError */
  async ask(route: string, body?: object | (() => FormData), once?: string): Promise<unknown> {
    for (let tries = 1; ; tries++)
      try {
        return await askRemote<unknown>(this.remote, route, typeof body === "function" ? body() : body, once);
      } catch (error) {
        if (!(error instanceof AwayError) || tries === MOST_TRIES) throw error;
        await this.pause(POLL_MS * 2 ** tries);
      }
  }

  /** What an import of the file would do. */
  async check(path: string, file: ImportFile): Promise<AnswerFields> {
    return fieldsOf(await this.ask(`POST ${path}/check`, () => formOf(file)));
  }

  /** Imports the file, and waits for the end of it. Answers its result. @throws Error if it fails */
  async import(path: string, file: ImportFile): Promise<{ readonly id: string; readonly result: AnswerFields }> {
    const hash = new Bun.CryptoHasher("sha256").update(file.lines.join("")).digest("hex");
    const opened = fieldsOf(await this.ask(`POST ${path}`, () => formOf(file), `${file.once} ${hash}`));
    const id = textOf(opened["jobId"]);
    for (;;) {
      const { status, failedReason, result } = fieldsOf(await this.ask(`GET ${path}/${id}`));
      if (status === "COMPLETED") return { id, result: fieldsOf(result) };
      if (status === "FAILED") throw new Error(`The import ${id} has failed: ${textOf(failedReason)}`);
      await this.pause(POLL_MS);
    }
  }
}

/** Its fields stand before the file. */
function formOf({ name, lines, fields = {} }: ImportFile): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new File([...lines], `${name}.csv`, { type: "text/csv" }));
  return form;
}
