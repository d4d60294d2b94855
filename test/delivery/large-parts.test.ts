// The bytes of attachments, which mails of one content share: read once, and posted to the carrying thread once.
import { expect, test } from "bun:test";
import { SharedParts, type LargeParts, PostedParts } from "../../src/sending/carrier/large-parts.ts";
import type { Store } from "../../src/store/store.ts";
import { workspace } from "../support/workspace.ts";

test("what mails in hand have in common is read once, and again for those that come later", async () => {
  await using posthorn = await workspace();
  const attachments = [{ filename: "a.txt", content: btoa("Hello") }];
  const mail = { to: "ada@example.com", from: "hello@example.test", subject: "Hi", body: "<p>Hi</p>", attachments };
  expect((await posthorn.call("POST /v1/send", mail)).status).toBe(200);
  let reads = 0;
  const read: Store["read"] = (work, options) => (reads++, posthorn.store.read(work, options));
  const shared = new SharedParts({ read });
  const row = await posthorn.store.read(
    (reader) => reader.get<{ content: number; attachments: number; messageId: null }>`
      select e.content, c.attachments, c.message_id as "messageId" from emails e join contents c on c.seq = e.content`,
  );
  if (!row) throw new Error("There is no mail.");
  const found = await Promise.all(
    [1, 2, 3].map(() => shared.use(row, async ({ attachments: [first] }) => first?.content as Uint8Array)),
  );
  expect(new Set(found).size).toBe(1);
  expect(new TextDecoder().decode(found[0])).toBe("Hello");
  expect(reads).toBe(1);
  await shared.use(row, async () => null);
  expect(reads).toBe(2);
});

test("they are posted once while a mail needs them, and forgotten with the last", () => {
  const heard: string[] = [];
  const posted = new PostedParts({
    post: (key) => heard.push(`post ${key}`),
    forget: (key) => heard.push(`forget ${key}`),
  });
  const first: LargeParts = { attachments: [], raw: new Uint8Array(3) };
  const second: LargeParts = { attachments: [], raw: new Uint8Array(3) };
  const taken = [first, first, second].map((parts) => posted.take(parts));
  expect(taken.map((one) => one?.key)).toEqual([1, 1, 2]);
  expect(posted.take({ attachments: [], raw: null })).toBeNull();
  for (const one of [...taken, null]) posted.give(one);
  posted.take(first);
  expect(heard).toEqual(["post 1", "post 2", "forget 1", "forget 2", "post 3"]);
});
