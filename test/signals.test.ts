// What signals do to a server that has work in hand.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { ServerProcess } from "./crash/server-process.ts";
import { freshDirectory } from "./support/database.ts";
import { freePort } from "./support/free-port.ts";

const CERTIFICATES = new URL("support/certificates/", import.meta.url).pathname;

let directory: ReturnType<typeof freshDirectory>;
beforeEach(() => {
  directory = freshDirectory();
});
afterEach(() => directory.remove());

test("SIGHUP reads the certificate again and goes on; a second SIGTERM lets the drain finish", async () => {
  useCertificate("localhost");
  await using server = await start({
    POSTHORN_SMTP_SUBMISSIONS_PORT: String(await freePort()),
    POSTHORN_SMTP_CERT_FILE: join(directory.path, "cert.pem"),
    POSTHORN_SMTP_KEY_FILE: join(directory.path, "key.pem"),
  });
  useCertificate("elsewhere");
  server.signal("SIGHUP");
  await server.said(/loaded the new SMTP certificate/);
  await server.said(/^SIGHUP: reading the certificates again/);
  const request = await unfinished(server);
  server.signal("SIGTERM");
  await server.said(/^Stopping/);
  server.signal("SIGTERM");
  await server.said(/^Still finishing/);
  expect(await request.finish()).toStartWith("HTTP/1.1 422");
  expect(await server.ended()).toBe(0);
});

test("a third signal ends the process at once", async () => {
  await using server = await start({});
  server.signal("SIGHUP");
  await server.said(/^SIGHUP: no certificate/);
  using _ = await unfinished(server);
  server.signal("SIGTERM");
  await server.said(/^Stopping/);
  server.signal("SIGINT");
  await server.said(/^Still finishing/);
  server.signal("SIGTERM");
  expect(await server.ended()).toBe(143);
});

function useCertificate(name: string): void {
  copyFileSync(join(CERTIFICATES, `${name}.cert.pem`), join(directory.path, "cert.pem"));
  copyFileSync(join(CERTIFICATES, `${name}.key.pem`), join(directory.path, "key.pem"));
}

function start(settings: Record<string, string>): Promise<ServerProcess> {
  const more = { POSTHORN_DELIVERY_TRANSPORT: "capture", ...settings };
  return ServerProcess.start({ dataDir: directory.path, relayPort: 1, run: 0, settings: more });
}

const WHOLE_BODY = "{}";

/** A request whose body has not come yet, which the server has begun to read. */
async function unfinished({ url, secretKey }: ServerProcess) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port) });
  const answered = Promise.withResolvers<string>();
  const goesOn = Promise.withResolvers<void>();
  let text = "";
  socket.on("error", answered.reject).on("end", () => answered.resolve(text));
  socket.on("data", (piece: Buffer) => {
    text += piece.toString();
    if (text.startsWith("HTTP/1.1 100")) [text] = ["", goesOn.resolve()];
    else if (text.includes("\r\n\r\n")) answered.resolve(text);
  });
  const head = [
    "POST /v1/send HTTP/1.1",
    "host: x",
    `authorization: Bearer ${secretKey}`,
    "content-type: application/json",
  ];
  socket.write([...head, `content-length: ${WHOLE_BODY.length}`, "expect: 100-continue", "", ""].join("\r\n"));
  await goesOn.promise;
  return {
    finish: () => (socket.write(WHOLE_BODY), answered.promise),
    [Symbol.dispose]: () => socket.destroy(),
  };
}
