// A submitted message leaves unchanged, to each of its recipients.
import { expect, test } from "bun:test";
import { accept } from "../../src/mail/emails/accept.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

const MESSAGE = Buffer.from(
  [
    "From: =?utf-8?q?Ad=C3=A4?= <ada@example.test>",
    "To: A list of people:;",
    "Subject: {{ name }} is not a variable",
    "Message-ID: <own@example.test>",
    "Date: Mon, 1 Jan 2024 00:00:00 +0100",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    "",
    ". Grüße, {{ name }}",
    "",
  ].join("\r\n"),
);

async function handIn(posthorn: Posthorn, bytes = MESSAGE) {
  return posthorn.store.write(async (tx) => {
    const workspace = await tx.get<{ seq: number }>`select seq from workspaces limit 1`;
    return accept(tx, {
      sender: { workspace: workspace?.seq ?? 0, domains: null },
      sourceType: "TRANSACTIONAL",
      content: {
        kind: "TRANSACTIONAL",
        from: { address: "ada@example.test", name: "Adä" },
        subject: "{{ name }} is not a variable",
        html: "",
        text: "",
        raw: { bytes, messageId: "<own@example.test>" },
      },
      to: { addresses: ["bob@example.com", "cy@example.com"].map((address) => ({ address, name: null })) },
    });
  });
}

test("with our signature in front, and under its own Message-ID in the record, the events and the raw message (slow)", async () => {
  await using posthorn = await workspace({ tracking: true });
  await posthorn.call("POST /contacts", { email: "bob@example.com", data: { name: "Bob" } });
  const [first] = await handIn(posthorn);
  await posthorn.settle();
  expect(posthorn.transport.recipients.toSorted()).toEqual(["bob@example.com", "cy@example.com"]);
  for (const { raw } of posthorn.transport.sent) {
    expect(raw.subarray(raw.length - MESSAGE.length).equals(MESSAGE)).toBe(true);
    expect(raw.toString("latin1", 0, raw.length - MESSAGE.length)).toMatch(
      /^DKIM-Signature: [^\r]+(\r\n [^\r]+)*\r\n$/,
    );
  }
  const record = await posthorn.call(`GET /emails/${first?.email}`);
  expect(record.body).toMatchObject({
    ...{ status: "SENT", messageId: "<own@example.test>", subject: "{{ name }} is not a variable" },
    ...{ from: "ada@example.test", fromName: "Adä" },
  });
  const [event] = (await posthorn.events()).filter(({ name }) => name === "email.sent");
  expect(event?.data).toMatchObject({ messageId: "<own@example.test>", subject: "{{ name }} is not a variable" });
  const left = posthorn.transport.sent.find(({ envelope }) => envelope.recipient === "bob@example.com");
  const raw = await posthorn.call(`GET /emails/${first?.email}/raw`);
  expect(Buffer.from(raw.body).equals(left?.raw ?? Buffer.of())).toBe(true);
});

test("in ASCII where the next hop takes nothing else, signed as such", async () => {
  await using posthorn = await workspace();
  await handIn(posthorn);
  await posthorn.settle();
  const encoded = (await posthorn.transport.sent[0]?.sevenBit?.())?.toString("latin1") ?? "";
  expect(encoded).toMatch(/^DKIM-Signature: /);
  expect(encoded).toEndWith("\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n. Gr=C3=BC=C3=9Fe, {{ name }}\r\n");
});

test("is kept once, by mails that were cancelled as well, and gone with the last person", async () => {
  await using posthorn = await workspace();
  const accepted = await handIn(posthorn);
  const kept = () =>
    posthorn.store.read((reader) => reader.all<{ length: number }>`select length(bytes) as length from raw_messages`);
  expect(await kept()).toEqual([{ length: MESSAGE.length }]);
  for (const { email } of accepted) await posthorn.call(`DELETE /emails/${email}`);
  expect(await kept()).toEqual([{ length: MESSAGE.length }]);
  for (const { contact } of accepted) await posthorn.call(`DELETE /contacts/${contact?.id}`);
  await posthorn.settle();
  expect(await kept()).toEqual([]);
});

test("a line that no server would take is encoded before it leaves", async () => {
  await using posthorn = await workspace();
  await handIn(posthorn, Buffer.concat([MESSAGE, Buffer.alloc(1_500, "x"), Buffer.from("\r\n")]));
  await posthorn.settle();
  const raw = posthorn.transport.sent[0]?.raw.toString("latin1") ?? "";
  expect(raw).toContain("\r\nContent-Transfer-Encoding: quoted-printable\r\n");
  expect(Math.max(...raw.split("\r\n").map((line) => line.length))).toBeLessThan(999);
});
