// The bounce mailboxes: whether each can be opened, with its login and its folder. Nothing is read.
import type { MailboxSettings } from "../../../base/config/mailboxes.ts";
import { NO_TOKENS } from "../../../ground/way-tokens/way-tokens.ts";
import { openMailbox, placeOf, tokensOf } from "../../../mail/inbound/mailbox/open.ts";
import { ok, wrong, type DoctorFinding } from "./finding.ts";
import type { StoreCheck } from "./store.ts";

export function lookAtMailboxes({ config, tokens }: Pick<StoreCheck, "config" | "tokens">): Promise<DoctorFinding[]> {
  return Promise.all(config.bounceMailboxes.map((settings) => lookAtMailbox(settings, tokens)));
}

async function lookAtMailbox(settings: MailboxSettings, tokens: StoreCheck["tokens"]): Promise<DoctorFinding> {
  const check = `bounce mailbox ${settings.name}`;
  const place = placeOf(settings);
  try {
    const access = { settings, tokens: tokens ? tokensOf(tokens, settings) : NO_TOKENS, onNews: () => undefined };
    (await openMailbox(access)).close();
    return ok(check, `${place} can be read`);
  } catch (error) {
    return wrong(
      check,
      `${place}: ${(error as Error).message}`,
      "Check its settings, and whether the server lets it in.",
    );
  }
}
