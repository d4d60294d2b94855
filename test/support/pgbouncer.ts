// A pooler before the PostgreSQL of the tests, in a mode of its own.
import { chownSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { plainUser } from "./postgres-server.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
export const HAS_PGBOUNCER = existsSync(PROGRAM);

type Settings = {
  readonly mode: "session" | "transaction" | "statement";
  /** Sessions are handed out in a circle; else the one that was used last. */
  readonly inCircle?: boolean;
};

/** Answers where it listens, once it does. Ends when the test does, in whatever way. */
export async function pgBouncer(server: string, { mode, inCircle = false }: Settings) {
  const [target, port, user] = [new URL(server), await freePort(), plainUser()];
  const folder = mkdtempSync(join(tmpdir(), "posthorn-pgbouncer-"));
  const [file, users] = [join(folder, "pgbouncer.ini"), join(folder, "users")];
  const settings = Object.entries({
    ...{ listen_addr: "127.0.0.1", listen_port: port, unix_socket_dir: "" },
    ...{ auth_type: "trust", auth_file: users },
    ...{ pool_mode: mode, default_pool_size: 30, server_round_robin: inCircle ? 1 : 0 },
  });
  writeFileSync(users, `"${target.username}" ""\n`);
  writeFileSync(
    file,
    `[databases]\n* = host=${target.hostname} port=${target.port}\n[pgbouncer]\n${settings.map((one) => one.join(" = ")).join("\n")}\n`,
  );
  if (user !== null) for (const path of [folder, users, file]) chownSync(path, user.uid, user.gid);
  const asUser = user === null ? [] : ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  const script = '"$@" & read -r _; kill $!; wait; rm -rf "$0"';
  const child = Bun.spawn(["sh", "-c", script, folder, ...asUser, PROGRAM, file], {
    ...{ cwd: "/", stdin: "pipe", stdout: "ignore", stderr: "pipe" },
  });
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (said.includes("process up")) break;
  }
  if (!said.includes("process up")) throw new Error(`pgbouncer did not start: ${said}`);
  return {
    url: `${target.protocol}//${target.username}@127.0.0.1:${port}${target.pathname}`,
    [Symbol.asyncDispose]: async () => {
      await child.stdin.end();
      await child.exited;
    },
  };
}
