// What the log says of requests, hand-overs and changes: quiet at info, whole at debug, and never an address.
import { expect, test } from "bun:test";
import { holdAll } from "../../src/store/hold.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { cliBeside, jsonBeside, serving } from "../support/cli.ts";
import { freshDirectory } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const UUID = "[0-9a-f-]{36}";

/** The lines of one kind, without their moments. */
function lines({ logLines }: Posthorn, kind: string): string[] {
  return logLines.filter((line) => line.slice(25).startsWith(kind)).map((line) => line.slice(25));
}

/** Until what follows an answer is done. */
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("each request is a line with its route, status, workspace and id, and without its path", async () => {
  await using posthorn = await workspace();
  const { id } = (await ask(posthorn, "GET /workspace")).body;
  await posthorn.call("GET /contacts/ada?email=ada@example.com", undefined, { "x-request-id": "one" });
  await posthorn.call("POST /v1/send", { to: "ada@example.com" }, { "x-request-id": "two" });
  await posthorn.call("GET /emails", undefined, { authorization: "Bearer sk_wrong", "x-request-id": "three" });
  await posthorn.call("GET /unknown/path", undefined, { "x-request-id": "four" });
  await turn();
  expect(lines(posthorn, "debug request").slice(-4)).toEqual([
    `debug request method=GET route=/contacts/:id status=400 ms=0 workspace=${id} requestId=one`,
    `debug request method=POST route=/v1/send status=422 ms=0 workspace=${id} requestId=two`,
    "debug request method=GET route=/emails status=401 ms=0 requestId=three",
    "debug request method=GET route=none status=404 ms=0 requestId=four",
  ]);
});

test("each hand-over is a line with its mail, attempt, outcome and the code of the reply", async () => {
  await using posthorn = await workspace();
  const replies = ["451 4.7.1 <ada@example.com> later", "250 2.0.0 Ok: queued"];
  posthorn.transport.answer = () => {
    const reply = replies.shift() ?? "";
    return { kind: reply.startsWith("4") ? "later" : "accepted", reply };
  };
  const { body } = await posthorn.call("POST /v1/send", letter);
  const mail = body.data.emails[0].email;
  await posthorn.settle();
  posthorn.clock.advance(120_000);
  await posthorn.settle();
  expect(lines(posthorn, "debug hand-over")).toEqual([
    `debug hand-over mail=${mail} attempt=1 outcome=deferred ms=0 code="451 4.7.1"`,
    `debug hand-over mail=${mail} attempt=2 outcome=sent ms=0 code="250 2.0.0"`,
  ]);
  expect(posthorn.logLines.join("\n")).not.toContain("@");
});

test("recipients and whole replies are in it only where that is asked for", async () => {
  await using posthorn = await workspace({ config: { log: { ...DEFAULTS.log, addresses: true } } });
  posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 no such user" });
  await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  expect(lines(posthorn, "debug hand-over")).toEqual([
    expect.stringMatching(/outcome=bounced ms=0 to=ada@example.com reply="550 5.1.1 no such user"$/),
  ]);
});

test("each change by a key, by a person or on the command line is a line, once, with ids alone", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.settle();
  const made = await posthorn.call("POST /keys", { name: "for Ada" }, { "x-request-id": "one" });
  expect(made.status).toBe(201);
  await posthorn.settle();
  const { workspace } = await jsonBeside(posthorn, ["workspace", "create", "acme"]);
  await cliBeside(posthorn, ["workspace", "disable", "acme"]);
  await posthorn.store.write(holdAll);
  await cliBeside(posthorn, ["release"]);
  await posthorn.settle();
  await posthorn.settle();
  const [byKey, ...others] = lines(posthorn, "info  change");
  expect(byKey).toMatch(
    new RegExp(
      `^info  change action=createKey by="KEY ${UUID}" workspace=${UUID} target=${made.body.id} requestId=one$`,
    ),
  );
  const about = `by=COMMAND_LINE workspace=${workspace.id} target=${workspace.id}`;
  expect(others).toEqual([
    `info  change action="workspace create" ${about}`,
    `info  change action="workspace disable" ${about}`,
    "info  change action=release by=COMMAND_LINE",
  ]);
  expect(posthorn.logLines.join("\n")).not.toMatch(/Ada|acme/);
});

test("at info requests and mails add nothing", async () => {
  await using posthorn = await workspace();
  await posthorn.settle();
  const loud = () => posthorn.logLines.filter((line) => !line.includes(" debug "));
  const before = loud().length;
  for (let times = 0; times < 5; times++) await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  expect(loud().slice(before)).toEqual([]);
});

test("the start says which keys are set, as JSON where the log is JSON, and no value", async () => {
  const directory = freshDirectory();
  const env = {
    POSTHORN_LOG_FORMAT: "json",
    POSTHORN_METRICS_TOKEN: "a secret word",
    POSTHORN_DELIVERY_CONCURRENCY: "3",
  };
  {
    await using server = await serving(["--data", directory.path], env);
    const said = server.lines.map((line) => JSON.parse(line));
    const set = expect.stringContaining("delivery.concurrency http.port log.format metrics.token");
    expect(said).toContainEqual(expect.objectContaining({ level: "info", message: "configuration", set }));
    expect(server.text).not.toContain("a secret word");
  }
  directory.remove();
});
