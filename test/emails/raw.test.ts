// A submitted message, read in slices.
import { expect, test } from "bun:test";
import { deleteRaw, insertRaw, rawOf } from "../../src/mail/emails/content/raw-queries.ts";
import type { Reader } from "../../src/store/store.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

/** Of more than one slice. */
const MESSAGE = Buffer.alloc(700_000, "Subject: Hi\r\n\r\nHello\r\n");

test("it comes back as it was, and one that is deleted between two slices is none any more", async () => {
  await using posthorn = await workspace();
  const { store } = posthorn;
  const mail = { to: "ada@example.com", from: "hello@example.test", subject: "Hi", body: "Hello" };
  expect((await ask(posthorn, "POST /v1/send", { body: mail })).status).toBe(200);
  const { seq } = (await store.read((reader) => reader.get<{ seq: number }>`select seq from contents`)) ?? { seq: 0 };
  await store.write((tx) => insertRaw(tx, { content: seq, bytes: MESSAGE }));
  const whole = await store.read((reader) => rawOf(reader, seq));
  expect(Buffer.from(whole ?? []).equals(MESSAGE)).toBe(true);

  let asked = 0;
  const withChange = (reader: Reader): Reader => ({
    dialect: reader.dialect,
    all: (...statement) => reader.all(...statement),
    get: async (...statement) => {
      if (++asked === 3) await store.write((tx) => deleteRaw(tx, [seq]));
      return reader.get(...statement);
    },
  });
  expect(await store.read((reader) => rawOf(withChange(reader), seq))).toBeNull();
  expect(asked).toBe(3);
});
