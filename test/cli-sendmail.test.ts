// `posthorn sendmail` as cron, PHP and scripts call it, beside a server that is there or away.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { posthornCli } from "./support/cli.ts";
import { freshDirectory } from "./support/database.ts";
import type { Json, Posthorn } from "./support/posthorn.ts";
import { ask } from "./support/scenario.ts";
import { startSubmission } from "./support/submission.ts";
import { workspace } from "./support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = (await startSubmission()).posthorn;
});
afterAll(() => posthorn[Symbol.asyncDispose]());
const folder = freshDirectory();
afterAll(folder.remove);

const AWAY = "http://127.0.0.1:1";

function sendmail(words: readonly string[], input = "", env: Readonly<Record<string, string>> = {}) {
  const around = { POSTHORN_URL: posthorn.server.url, POSTHORN_KEY: posthorn.keys.secret };
  return posthornCli(["sendmail", ...words], { ...around, XDG_STATE_HOME: folder.path, ...env }, [], input);
}

/** The records of the emails with this subject, oldest first, each with its raw message. */
async function arrived(subject: string): Promise<{ to: string; role: string; raw: string }[]> {
  await posthorn.settle();
  const { data } = (await ask(posthorn, `GET /emails?limit=100&search=${encodeURIComponent(subject)}`)).body;
  const found = data.filter((one: Json) => one.subject === subject).toReversed();
  return Promise.all(
    found.map(async ({ id, to, role }: Json) => ({
      to,
      role,
      raw: (await ask(posthorn, `GET /emails/${id}/raw`)).body as string,
    })),
  );
}

const DONE = { code: 0, out: "", err: "" };

describe("a message is handed over", () => {
  test("by PHP: sendmail -t -i, with Cc and Bcc", async () => {
    const header = "To: ada@example.com,\n Bob <bob@example.com>\nCc: cy@example.com\nBcc: dee@example.com\n";
    const text = `${header}Subject: From PHP\nFrom: Shop <shop@example.test>\n\nHello\n.\nand more\n`;
    expect(await sendmail(["-t", "-i"], text)).toEqual(DONE);
    const found = await arrived("From PHP");
    expect(found.map(({ to, role }) => `${role} ${to}`).sort()).toEqual([
      "BCC dee@example.com",
      "CC cy@example.com",
      "TO ada@example.com",
      "TO bob@example.com",
    ]);
    expect(found[0]?.raw).toContain("Hello\r\n.\r\nand more\r\n");
    expect(found[0]?.raw).not.toContain("dee@");
  });

  test("by cron: no domain in From and To", async () => {
    const text = "From: root (Cron Daemon)\nTo: root\nSubject: Cron job\nX-Cron-Env: <HOME=/root>\n\nout\n";
    const env = { POSTHORN_FROM: "cron@example.test", POSTHORN_LOCAL_TO: "admin@example.com" };
    expect(await sendmail(["-FCronDaemon", "-i", "-B8BITMIME", "-oem", "root"], text, env)).toEqual(DONE);
    const [mail] = await arrived("Cron job");
    expect(mail?.to).toBe("admin@example.com");
    expect(mail?.raw).toMatch(/^From: CronDaemon <cron@example\.test>\r$/m);
  });

  test("by old scripts: the sender of -f, recipients as words, a dot at the end, a key that may only send", async () => {
    const { body } = await ask(posthorn, "POST /keys", { body: { name: "scripts", permissions: "send" } });
    const words = ["-oi", "-oem", "-fscript@example.test", "--", "eve@example.com"];
    const env = { POSTHORN_KEY: body.secret };
    expect(await sendmail(words, "From nobody Mon Jan  1 00:00:00 2026\nSubject: Old\n\nbody", env)).toEqual(DONE);
    expect(await sendmail(["-f", "script@example.test", "fay@example.com"], "Subject: Dot\n\nin\n.\nout\n")).toEqual(
      DONE,
    );
    expect((await arrived("Old")).map(({ to }) => to)).toEqual(["eve@example.com"]);
    const [dotted] = await arrived("Dot");
    expect(dotted?.raw).toContain("\r\n\r\nin");
    expect(dotted?.raw).not.toContain("out");
  });
});

test("a script that forgets the empty line: the first line that is no field begins the text", async () => {
  const env = { POSTHORN_FROM: "cron@example.test" };
  expect(await sendmail(["-t"], "To: ada@example.com\nSubject: No\n gap\nDisk full\nOn: sda1\n\nend\n", env)).toEqual(
    DONE,
  );
  expect((await arrived("No gap"))[0]?.raw).toEndWith("\r\n\r\nDisk full\r\nOn: sda1\r\n\r\nend\r\n");
  expect(await sendmail(["ada@example.com"], "Subject: No end\nall of it", env)).toEqual(DONE);
  expect((await arrived("No end"))[0]?.raw).toEndWith("\r\n\r\nall of it\r\n");
});

test("a message to more recipients than the server takes at once reaches all of them", async () => {
  const to = Array.from({ length: 120 }, (_, index) => `u${index}@example.com`);
  const text = `To: ${to.join(",\n ")}\nFrom: shop@example.test\nSubject: To many\n\nHello\n`;
  expect(await sendmail(["-t"], text)).toEqual(DONE);
  const { cursor, data } = (await ask(posthorn, "GET /emails?limit=100&search=To%20many")).body;
  const rest = (await ask(posthorn, `GET /emails?limit=100&search=To%20many&cursor=${cursor}`)).body.data;
  expect([...data, ...rest].map((one: Json) => one.to).sort()).toEqual(to.toSorted());
});

test("what cannot be sent has the exit code of sysexits.h", async () => {
  const text = "From: shop@example.test\nSubject: x\n\nx\n";
  const faults: readonly (readonly [words: string[], input: string, code: number, env?: Record<string, string>])[] = [
    [["-bs"], text, 64],
    [["-f"], text, 64],
    [["-t"], text, 65],
    [["root"], text, 65],
    [["a@example.com"], "Subject: x\n\nx\n", 65],
    [["a@example.com"], text.replace("example.test", "other.test"), 69],
    [["a@example.com"], text, 77, { POSTHORN_KEY: "sk_wrong" }],
    [["a@example.com"], text, 78, { POSTHORN_KEY: "" }],
    [["-q"], "", 75, { POSTHORN_URL: AWAY }],
    [["a@example.com"], text, 75, { POSTHORN_URL: AWAY, POSTHORN_SPOOL: "/dev/null/x" }],
  ];
  for (const [words, input, code, env] of faults) {
    const ended = await sendmail(words, input, env);
    expect([words, ended]).toEqual([words, { code, out: "", err: expect.stringContaining("posthorn sendmail: ") }]);
  }
});

test("a server that cannot be reached safely from another machine says what to set there", async () => {
  const text = "From: shop@example.test\nSubject: x\n\nx\n";
  const from = (server: Posthorn) => {
    const env = { POSTHORN_URL: server.server.url.replace("127.0.0.1", "0.0.0.0"), POSTHORN_KEY: server.keys.secret };
    return sendmail(["a@example.com"], text, env);
  };
  expect(await from(posthorn)).toMatchObject({ code: 69, err: expect.stringContaining("set smtp.host there") });
  const open = await startSubmission({ config: { smtp: { host: "0.0.0.0", insecureLoopback: false } } });
  await using other = open.posthorn;
  expect(await from(other)).toMatchObject({ code: 69, err: expect.stringContaining("set smtp.cert_file") });
  await using off = await workspace();
  const env = { POSTHORN_URL: off.server.url, POSTHORN_KEY: off.keys.secret };
  expect(await sendmail(["a@example.com"], text, env)).toMatchObject({
    code: 69,
    err: expect.stringContaining("are off"),
  });
});

describe("while the server is away", () => {
  const spool = join(folder.path, "posthorn/spool");
  const message = (subject: string, from = "shop@example.test") => `From: ${from}\nSubject: ${subject}\n\nkept\n`;

  test("messages are kept, and the next call sends them, once", async () => {
    const away = { POSTHORN_URL: AWAY };
    for (const subject of ["Kept 1", "Kept 2"]) {
      const { code, err } = await sendmail(["gil@example.com"], message(subject), away);
      expect([code, err]).toEqual([0, expect.stringContaining(`The message waits in ${spool}`)]);
    }
    expect(readdirSync(spool)).toHaveLength(2);
    for (const name of readdirSync(spool)) expect(statSync(join(spool, name)).mode & 0o777).toBe(0o600);
    // Two calls at the same moment find the same messages.
    const both = await Promise.all([sendmail(["-q"]), sendmail(["hal@example.com"], message("Next"))]);
    expect(both).toEqual([DONE, DONE]);
    for (const subject of ["Kept 1", "Kept 2", "Next"]) expect(await arrived(subject)).toHaveLength(1);
    expect(readdirSync(spool)).toEqual([]);
  });

  test("a message that the server refuses later is moved away, and the rest is sent", async () => {
    const away = { POSTHORN_URL: AWAY };
    await sendmail(["ida@example.com"], message("Not ours", "x@other.test"), away);
    await sendmail(["ida@example.com"], message("Ours"), away);
    // Calls at the same moment are refused the same message.
    const all = await Promise.all([
      sendmail(["-q"]),
      sendmail(["-q"]),
      sendmail(["-q"]),
      sendmail(["hal@example.com"], message("New")),
    ]);
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(all.map(({ err }) => err).join("\n")).toContain("The spooled file is kept as ");
    for (const subject of ["Ours", "New"]) expect(await arrived(subject)).toHaveLength(1);
    expect(readdirSync(spool)).toEqual([expect.stringMatching(/\.refused$/)]);
  });

  test("one that is larger than the server takes is refused, and holds nothing up", async () => {
    const other = join(folder.path, "large");
    const words = ["--spool", other, "kim@example.com"];
    const large = `${message("Large")}${`${"x".repeat(75)}\n`.repeat(800_000)}`;
    expect(await sendmail(words, large)).toMatchObject({ code: 69, err: expect.stringContaining("larger than") });
    await sendmail(words, large, { POSTHORN_URL: AWAY });
    const next = await sendmail(words, message("Behind a large one"));
    expect(next).toMatchObject({
      code: 0,
      err: expect.stringMatching(/larger than .*\d\. The spooled file is kept as/),
    });
    expect(await arrived("Behind a large one")).toHaveLength(1);
    writeFileSync(join(other, "1.mail"), `{"to":[]}\n${message("For nobody")}`);
    expect(await sendmail([...words.slice(0, 2), "-q"])).toMatchObject({ err: expect.stringContaining("1.refused") });
  });

  test("what is wrong in the directory holds up no new message", async () => {
    const other = join(folder.path, "other");
    mkdirSync(other);
    const words = ["--spool", other, "jan@example.com"];
    writeFileSync(join(other, "1.mail"), `{"to":["nobody"]}\n${message("For nobody")}`);
    const refused = await sendmail(words, message("Behind a refused one"));
    expect(refused).toMatchObject({ code: 0, err: expect.stringContaining("1.refused") });
    writeFileSync(join(other, "2.mail"), "half a li");
    writeFileSync(join(other, "3.mail"), `{"to":["jan@example.com"]}\n${message("Spooled behind a broken one")}`);
    const broken = await sendmail(words, message("Behind a broken one"));
    expect(broken).toMatchObject({ code: 0, err: expect.stringContaining("2.refused") });
    for (const subject of ["Behind a refused one", "Spooled behind a broken one", "Behind a broken one"])
      expect(await arrived(subject)).toHaveLength(1);
    expect(readdirSync(other).toSorted()).toEqual(["1.refused", "2.refused"]);
  });
});
