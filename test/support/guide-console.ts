// Sessions of a terminal as the guide prints them: commands behind `$`, each with what it printed.

export type Exchange = { readonly command: string; readonly printed: readonly string[] };

/** A command goes on in the next line as long as the shell waits for more. */
export function exchangesOf(text: string): Exchange[] {
  const exchanges: { command: string; printed: string[] }[] = [];
  for (const line of text.trimEnd().split("\n")) {
    const last = exchanges.at(-1);
    if (line.startsWith("$ ")) exchanges.push({ command: line.slice(2), printed: [] });
    else if (!last) throw new Error(`A session begins with "$ ": ${line}`);
    else if (last.printed.length === 0 && !isWhole(last.command)) last.command += `\n${line}`;
    else last.printed.push(line);
  }
  const broken = exchanges.find(({ command }) => !isWhole(command));
  if (broken) throw new Error(`The shell cannot read: ${broken.command}`);
  return exchanges;
}

function isWhole(command: string): boolean {
  return Bun.spawnSync(["bash", "-n", "-c", command]).exitCode === 0;
}

/** The words behind `posthorn` in a command that calls it, however it is reached; null if it does not. */
export function wordsOf(command: string): string[] | null {
  const [, call] =
    /^(?:sudo |docker compose exec posthorn )?(?:\.?[\w./-]*\/)?(?:posthorn|ph) (.*)$/.exec(command) ?? [];
  if (call === undefined) return null;
  const [own = ""] = call.split(/\s(?:#|>|\|)/);
  return own.trim().split(/\s+/);
}

/** Whether a line has the form of another one: with other numbers, times and sizes, and anything where `…` stands. */
export function hasForm(line: string, printed: string): boolean {
  const pieces = printed.trim().split(/(…|[\d.,:TZ-]*\d[\d.,:TZ-]*)/);
  const pattern = pieces.map((piece, at) => (at % 2 === 0 ? literal(piece) : piece === "…" ? ".*" : "[\\d.,:TZ-]+"));
  return new RegExp(`^${pattern.join("")}$`).test(line.trim());
}

function literal(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
