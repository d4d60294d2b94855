// Which bounces unsubscribe: what many servers say, in the shape in which many servers return mail.
import { describe, expect, test } from "bun:test";
import { readNotice } from "../../src/mail/inbound/bounces/notice.ts";
import { LAYOUTS, TO } from "../support/bounce-layouts.ts";
import { HARD, NOT_HARD } from "../support/bounce-wordings.ts";

const ENVELOPE = { addressees: [TO], sender: "" };

async function blameIn(layout: string, words: string): Promise<string> {
  const mail = LAYOUTS[layout]?.({ words, status: "5.0.0" }) ?? "";
  const { kind, recipients } = await readNotice(Buffer.from(mail.replaceAll("\n", "\r\n")), ENVELOPE);
  expect([kind, recipients.map(({ recipient }) => recipient)]).toEqual(["bounce", [TO]]);
  return recipients[0]?.blame ?? "";
}

async function heldAgainstRecipient(layout: string, wordings: readonly string[]): Promise<string[]> {
  const blames = await Promise.all(wordings.map((words) => blameIn(layout, words)));
  return wordings.filter((_, n) => blames[n] === "recipient");
}

describe.each(Object.keys(LAYOUTS))("in the shape of %s", (layout) => {
  test("every refusal for the recipient's sake is for good", async () => {
    expect(await heldAgainstRecipient(layout, HARD)).toEqual([...HARD]);
  });

  test("no other one is", async () => {
    expect(await heldAgainstRecipient(layout, NOT_HARD)).toEqual([]);
  });
});
