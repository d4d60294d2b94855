// What real mail servers report of a refusal is judged as the same refusal is at once.
import { expect, test } from "bun:test";
import { blameFor, type Phase } from "../../src/mail/emails/refusals/blame.ts";
import { readReply } from "../../src/sending/carrier/smtp/reply.ts";
import { readNotice } from "../../src/mail/inbound/bounces/notice.ts";
import { MAIL_SERVERS } from "../support/mail-servers.ts";
import { startRelay } from "../support/relay.ts";
import { dialogue } from "../support/smtp-dialogue.ts";

const REFUSALS: readonly (readonly [name: string, phase: Phase, reply: string, blame: string])[] = [
  ["bare", "rcpt", "550 No", "recipient"],
  ["name", "rcpt", "553 No", "recipient"],
  ["unknown", "rcpt", "550 5.1.1 User unknown", "recipient"],
  ["empty", "rcpt", "550 5.5.0 Invalid recipient", "recipient"],
  ["gone", "rcpt", "554 There is no such user here", "recipient"],
  ["full", "rcpt", "552 5.2.2 Mailbox full", "passing"],
  ["busy", "rcpt", "550 5.1.1 Too many recipients this hour", "passing"],
  ["unclear", "rcpt", "554 Transaction failed", "unclear"],
  ["spam", "rcpt", "550 Refused: this is spam", "sender"],
  ["policy", "rcpt", "550 5.7.1 Access denied", "sender"],
  ["content", "data", "550 No", "sender"],
];

for (const [name, start] of Object.entries(MAIL_SERVERS))
  test.skipIf(start === null)(
    `${name} (Debian)`,
    async () => {
      if (start === null) return;
      const atRecipient = REFUSALS.filter(([, phase]) => phase === "rcpt");
      await using hop = await startRelay({
        script: {
          recipients: Object.fromEntries(atRecipient.map(([who, , reply]) => [`${who}@hop.test`, reply])),
          data: "550 No",
        },
      });
      await using back = await startRelay();
      const { daemon, port } = await start({ hop: hop.port, back: back.port });
      await using _ = daemon;
      const recipients = [
        ...REFUSALS.map(([who]) => `${who}@hop.test`),
        ...(name === "Exim" ? ["ada@nowhere.test"] : []),
      ];
      const mails = recipients.map(
        (to) => `C: MAIL FROM:<b+${to.replace("@", "=")}@bounces.test>
          S: 250
          C: RCPT TO:<${to}>
          S: 250
          C: DATA
          S: 354
          C+ Subject: Hi\\r\\n\\r\\nThis user does not exist.\\r\\n.\\r\\n
          S: 250`,
      );
      await dialogue({ port }, `S: 220\nC: EHLO posthorn.test\nS: 250\n${mails.join("\n")}\nC: QUIT\nS: 221`);
      const blames = new Map<string, string | undefined>();
      for (const { envelope, raw } of await back.received(recipients.length)) {
        const addressee = (envelope.to[0] ?? "").replace(/^b\+(.*)=(.*)@bounces\.test$/, "$1@$2");
        const notice = await readNotice(raw, { addressees: [addressee], sender: envelope.from });
        expect(notice.recipients).toMatchObject([{ recipient: addressee, action: "failed" }]);
        blames.set(addressee, notice.recipients[0]?.blame);
      }
      for (const [who, phase, reply, blame] of REFUSALS) {
        const { code, enhancedCode: status, text: words } = readReply(reply);
        expect([who, blameFor({ phase, code, status, words })]).toEqual([who, blame as never]);
        expect([who, blames.get(`${who}@hop.test`)]).toEqual([who, blame]);
      }
      // "Unrouteable address", as it says at RCPT where it looks at once.
      if (name === "Exim") expect(blames.get("ada@nowhere.test")).toBe("recipient");
    },
    60_000,
  );
