// Email as code: a workspace becomes a directory of files, and a directory of files a workspace.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { freshDirectory } from "../support/database.ts";
import { addOneOfEach, Files } from "../support/email-as-code.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";
import { addWorkspace } from "../support/workspaces.ts";

const folder = freshDirectory();
afterAll(folder.remove);
const directory = () => mkdtempSync(join(folder.path, "mail-"));

describe("a workspace with one of each", () => {
  let posthorn: Posthorn;
  let files: Files;
  beforeAll(async () => {
    posthorn = await workspace();
    await addOneOfEach(posthorn);
    files = new Files(directory(), posthorn);
    const { err } = await files.run("pull");
    expect(err).toBe("");
  });
  afterAll(() => posthorn[Symbol.asyncDispose]());

  test("is pulled as files that people can read", () => {
    expect(files.all()).toMatchSnapshot();
  });

  test("is as its files say", async () => {
    expect(await files.run("plan")).toMatchObject({
      code: 0,
      err: "",
      out: "0 new, 0 changed, 0 deleted, 11 as they were.",
    });
  });

  test("has no secrets in its files, and no ids", () => {
    const text = Object.values(files.all()).join("\n");
    expect(text).not.toMatch(/hush|very-secret|whsec_|sk_|[0-9a-f]{8}-[0-9a-f]{4}/);
  });
});

test("what is pulled of one workspace makes the same of an empty one", async () => {
  await using posthorn = await workspace();
  await addOneOfEach(posthorn);
  const files = new Files(directory(), posthorn);
  await files.run("pull");
  const keys = await addWorkspace(posthorn, { name: "Staging", domain: "staging.test" });
  const staging = new Files(directory(), posthorn).as(keys);
  for (const [file, text] of Object.entries(files.all()))
    staging.write(file, text.replace("••••••••", "${SHOP_TOKEN}"));
  const filled = staging.as(keys, { SHOP_TOKEN: "Bearer other" });
  expect(await filled.run("apply")).toMatchObject({ code: 0, err: "" });
  expect(await filled.run("plan")).toMatchObject({ code: 0 });
  const back = new Files(directory(), posthorn).as(keys);
  await back.run("pull");
  expect(back.all()).toEqual(files.all());
  const { body } = await ask(posthorn, "GET /webhooks", { key: { bearer: keys.secret } });
  expect(body.webhooks[0].headers).toEqual({ "X-Token": "Bearer other" });
});
