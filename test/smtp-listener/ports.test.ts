// The ports that speak SMTP open together or not at all.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPosthorn } from "../support/posthorn.ts";
import { freePort } from "../support/free-port.ts";
import { ConfigFolder } from "../config-folder.ts";

test.each(["inboundPort", "http"] as const)(
  "a start that fails over a port (%s) leaves nothing open (slow)",
  async (which) => {
    const dataDir = mkdtempSync(join(tmpdir(), "posthorn-ports-"));
    const taken = await freePort();
    const ports = {
      submissionPort: await freePort(),
      submissionsPort: await freePort(),
      inboundPort: await freePort(),
    };
    using _ = await listening(taken);
    const config = {
      smtp: { ...ports, ...(which === "inboundPort" && { inboundPort: taken }) },
      ...(which === "http" && { http: { port: taken } }),
    };
    await expect(startPosthorn({ dataDir, config })).rejects.toThrow();
    // All that can be held by one alone is free again: the ports, and the data directory.
    const again = await startPosthorn({ dataDir, config: { smtp: ports } });
    expect(again.server.smtpPorts).toEqual([
      `${ports.submissionPort} (STARTTLS)`,
      `${ports.submissionsPort} (TLS)`,
      `${ports.inboundPort} (email from outside)`,
    ]);
    await again[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true, force: true });
  },
);

test("one port is for one thing", () => {
  const files = new ConfigFolder();
  const fault = "smtp.inbound_port: must be another port than smtp.submission_port and smtp.submissions_port";
  expect(files.faultText("[smtp]\nsubmission_port = 25\ninbound_port = 25")).toBe(fault);
  expect(files.faultText("[smtp]\nsubmissions_port = 2525")).toBe(fault);
  expect(() => files.load("[smtp]\nsubmission_port = 0\nsubmissions_port = 0\ninbound_port = 0")).not.toThrow();
  files.remove();
});

test("all ports show one certificate, and one warning tells that it is our own", async () => {
  const ports = { submissionPort: await freePort(), submissionsPort: await freePort(), inboundPort: await freePort() };
  await using posthorn = await startPosthorn({ config: { smtp: ports } });
  expect(posthorn.logLines.filter((line) => line.includes("self-signed certificate"))).toHaveLength(1);
});

function listening(port: number): Promise<Disposable> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(port, "127.0.0.1", () => resolve({ [Symbol.dispose]: () => void server.close() }));
  });
}
