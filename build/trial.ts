// Starts an executable once, alone in an empty folder: it answers at /health, and ends in order.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DEADLINE_MS = 20_000;
/** What the loader of musl says; without the loader itself, the system finds no such file. */
const LACKS_MUSL = /ENOENT|Error loading shared library/;

/**
 * True = it was tried; false = this machine has no musl, or no libstdc++ for it. @throws Error with what it said if it
 * does not start
 */
export async function tryExecutable(command: readonly string[], musl = false): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-trial-"));
  try {
    await startOnce(command, folder);
    return true;
  } catch (error) {
    if (musl && LACKS_MUSL.test(String(error))) return false;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOnce(command: readonly string[], folder: string): Promise<void> {
  const server = Bun.spawn([...command, "serve", "--data", join(folder, "data")], {
    cwd: folder,
    env: environment(),
    stdout: "pipe",
    stderr: "pipe",
    timeout: DEADLINE_MS,
    killSignal: "SIGKILL",
  });
  const faults = new Response(server.stderr).text();
  const url = await addressIn(server.stdout);
  if (url === null) throw new Error(`It does not start: ${await faults}`);
  const { status } = await fetch(`${url}/health`);
  server.kill("SIGTERM");
  const code = await server.exited;
  if (status !== 200 || code !== 0)
    throw new Error(`/health answered ${status}, it ended with ${code}: ${await faults}`);
}

/** Null = it ended, or took too long and was ended, before it listened. */
async function addressIn(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string | null> {
  const decoder = new TextDecoder();
  let said = "";
  // It may go on writing, so the rest is left to it.
  for await (const chunk of output.values({ preventCancel: true })) {
    said += decoder.decode(chunk, { stream: true });
    const url = /^HTTP API on (http:\S+)$/m.exec(said)?.[1];
    if (url) return url;
  }
  return null;
}

/** Any free ports, and where musl's libstdc++ is, if somebody says so. */
function environment(): Record<string, string> {
  const ports = ["HTTP_PORT", "SMTP_SUBMISSION_PORT", "SMTP_SUBMISSIONS_PORT", "SMTP_INBOUND_PORT"];
  const { PATH = "", LD_LIBRARY_PATH } = process.env;
  return {
    ...Object.fromEntries(ports.map((name) => [`POSTHORN_${name}`, "0"])),
    PATH,
    ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }),
  };
}
