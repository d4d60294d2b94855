// The code blocks of a page of the guide, and a shell that runs them against a running server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cliBeside } from "./cli.ts";
import type { Json, Posthorn } from "./posthorn.ts";

export type Block = { readonly language: string; readonly text: string };

/** Blocks in their order, each with the kind that stands behind its opening line. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(([, indent = "", language = "", text = ""]) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** An assignment from the answer before it: `ID=<data.id>`. */
const FROM_ANSWER = /^(\w+)=<([\w.[\]]+)>/;
/** At the end of a line whose request is refused, and what curl ends with then. */
const REFUSED = /# 4\d\d$/m;
const CURL_REFUSED = 22;
const PRELUDE = `set -eo pipefail
curl() { command curl -sS --fail-with-body "$@" | tee "$ANSWER"; }
`;

/** Runs blocks one after the other: variables and files stay. */
export class GuideShell implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "posthorn-guide-"));
  readonly #variables: Record<string, string>;

  constructor(
    readonly posthorn: Posthorn,
    /** What stands on the pages, and what it is in this test. */
    readonly places: readonly (readonly [string, string])[],
  ) {
    this.#variables = { KEY: posthorn.keys.secret, PUBLIC_KEY: posthorn.keys.public };
  }

  /** Throws if a command fails or is answered with an error. */
  async run(block: string): Promise<void> {
    for (const piece of piecesOf(this.places.reduce((text, [from, to]) => text.replaceAll(from, to), block))) {
      const [, name = "", path = ""] = FROM_ANSWER.exec(piece) ?? [];
      if (name) this.#variables[name] = String(valueAt(await this.answer(), path) ?? missing(piece));
      else if (piece.startsWith("posthorn ")) await this.#posthorn(piece);
      else await this.#bash(piece);
    }
    await this.posthorn.settle();
  }

  /** The last answer, or undefined if it was not JSON. */
  async answer(): Promise<Json> {
    return Bun.file(join(this.#folder, ".answer"))
      .json()
      .catch(() => undefined);
  }

  async #posthorn(line: string): Promise<void> {
    const words = line
      .replace(/\s+#.*/, "")
      .split(/\s+/)
      .slice(1);
    const { code, err } = await cliBeside(this.posthorn, words);
    if (code !== 0) throw new Error(`${line}: ${err}`);
  }

  async #bash(script: string): Promise<void> {
    const shell = Bun.spawn(["bash", "-c", PRELUDE + script], {
      cwd: this.#folder,
      env: { PATH: process.env["PATH"] ?? "", ANSWER: join(this.#folder, ".answer"), ...this.#variables },
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()]);
    if ((await shell.exited) !== (REFUSED.test(script) ? CURL_REFUSED : 0))
      throw new Error(`${script}\n${(await said).join("\n")}`);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/**
 * Assignments and verbs of the command line by themselves, the lines between them together; `export KEY=sk_…` is left
 * out.
 */
function piecesOf(block: string): string[] {
  const pieces: string[] = [];
  let open = false;
  for (const line of block.split("\n").filter((one) => !/^export \w+=\S*…/.test(one))) {
    const alone = FROM_ANSWER.test(line) || line.startsWith("posthorn ");
    if (alone || !open) pieces.push(line);
    else pieces[pieces.length - 1] += `\n${line}`;
    open = !alone;
  }
  return pieces.filter((piece) => piece.trim() !== "");
}

function valueAt(answer: Json, path: string): Json {
  return path.match(/\w+/g)?.reduce((value, name) => value?.[name], answer);
}

function missing(piece: string): never {
  throw new Error(`${piece}: the answer before it has no such field`);
}
