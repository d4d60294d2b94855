// Programs that answer programs: a mail that starts a workflow must not come back as one that starts it again (RFC
// 3834).
import { expect, test } from "bun:test";
import { bring, LETTER, received, startHouse } from "../support/outside.ts";
import { addTemplate, addWorkflow } from "../support/workflows.ts";

const AUTOMATIC = LETTER.replace("Subject: Hello", "Subject: Out of office\nAuto-Submitted: auto-replied");

/** Every mail that comes in is answered. */
async function startAnswering() {
  const house = await startHouse();
  const templateId = await addTemplate(house.posthorn, { from: "help@example.test" });
  await addWorkflow(house.posthorn, [{ ref: "m", type: "SEND_EMAIL", name: "Mail", config: { templateId } }], {
    eventName: "email.received",
    allowReentry: true,
  });
  return house;
}

test("an automatic answer starts no workflow, not even of somebody who is known (slow)", async () => {
  const { posthorn, port } = await startAnswering();
  await using _ = posthorn;
  await bring({ port }, LETTER);
  await posthorn.settle();
  for (let n = 0; n < 3; n++) {
    await bring({ port }, AUTOMATIC.replace("first@", `answer${n}@`));
    await posthorn.settle();
  }
  expect(posthorn.transport.sent).toHaveLength(1);
  expect(await received(posthorn)).toHaveLength(4);
});

test("what a workflow sends says once that nobody has written it; what the API sends says what its caller wants (slow)", async () => {
  const { posthorn, port } = await startAnswering();
  await using _ = posthorn;
  await bring({ port }, LETTER);
  await posthorn.call("POST /v1/send", {
    to: "ada@example.com",
    subject: "Hi",
    body: "<p>Hi</p>",
    from: "hello@example.test",
  });
  await posthorn.settle();
  const fields = posthorn.transport.sent.map(({ raw }) => raw.toString().match(/^Auto-Submitted:.*$/gim) ?? []);
  expect(fields).toEqual(expect.arrayContaining([["Auto-Submitted: auto-generated"], []]));
});

test("our own mail that comes back gives an event and starts nothing (slow)", async () => {
  const { posthorn, port } = await startAnswering();
  await using _ = posthorn;
  await posthorn.call("POST /v1/send", {
    to: "help@example.test",
    subject: "Hi",
    body: "<p>Hi</p>",
    from: "hello@example.test",
  });
  await posthorn.settle();
  const [sent] = posthorn.transport.sent;
  await bring({ port }, sent?.raw ?? "", { from: "hello@example.test", to: ["help@example.test"] });
  expect(await received(posthorn)).toMatchObject([{ from: "hello@example.test", subject: "Hi" }]);
  expect(posthorn.transport.sent).toHaveLength(1);
});

test("and so is one that the next hop has given another name (slow)", async () => {
  const { posthorn, port } = await startAnswering();
  await using _ = posthorn;
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "Taken", remoteId: "0102018e-000000" });
  await posthorn.call("POST /v1/send", {
    to: "help@example.test",
    subject: "Hi",
    body: "<p>Hi</p>",
    from: "hello@example.test",
  });
  await posthorn.settle();
  const renamed = LETTER.replace("<first@elsewhere.test>", "<0102018e-000000@eu-west-1.amazonses.com>");
  await bring({ port }, renamed);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(1);
});
