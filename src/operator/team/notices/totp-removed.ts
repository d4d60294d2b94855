// The mail that tells a user that an owner has removed their authenticator app.
import type { Mailbox } from "../../../base/addresses.ts";
import type { Config } from "../../../base/config.ts";
import { ownSender } from "../../../mail/emails/send/confirmation.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Workspace } from "../../../tenant/workspaces/queries.ts";
import { findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { membershipsOf, ownedWorkspaces, type User } from "../queries.ts";
import { letterLanguage, mailLetter } from "./letter.ts";

/** Names are variables: their text is never rendered. */
const TEXTS = {
  en: {
    subject: "Your authenticator app was removed",
    text: "{{ by }} has removed your authenticator app and your recovery codes from your account {{ account }} on Posthorn. Your password is now enough to sign in.",
    note: "Set up an app again under your name. If you did not ask for this, ask an owner of the server why it was done.",
    somebody: "An owner",
    open: "Open your account",
  },
  de: {
    subject: "Ihre Authentifizierungs-App wurde entfernt",
    text: "{{ by }} hat Ihre Authentifizierungs-App und Ihre Wiederherstellungscodes aus Ihrem Konto {{ account }} bei Posthorn entfernt. Zum Anmelden genügt jetzt Ihr Passwort.",
    note: "Richten Sie unter Ihrem Namen wieder eine App ein. Wenn Sie nicht darum gebeten haben, fragen Sie einen Inhaber des Servers nach dem Grund.",
    somebody: "Ein Inhaber",
    open: "Konto öffnen",
  },
} as const;

/** `by`: the name of the owner. No mail is sent where no workspace of the user can, or where none leaves this server. */
export async function mailTotpRemoved(
  tx: Tx,
  user: User,
  by: string | null,
  { delivery, http }: Pick<Config, "delivery" | "http">,
): Promise<void> {
  const sender = delivery.transport === "capture" ? null : await senderFor(tx, user);
  if (!sender) return;
  const { subject, text, note, somebody, open } = TEXTS[letterLanguage(sender.workspace)];
  const variables = { by: by ?? somebody, account: user.email, link: `${http.baseUrl}/app/me` };
  await mailLetter(tx, { ...sender, to: user.email, subject, paragraphs: [text, note, { link: open }], variables });
}

/** Further ones are not looked at. */
const MOST_LOOKED_AT = 20;

async function senderFor(
  reader: Reader,
  { seq, isOwner }: User,
): Promise<{ readonly workspace: Workspace; readonly from: Mailbox } | null> {
  const theirs = isOwner ? ownedWorkspaces(reader, MOST_LOOKED_AT) : membershipsOf(reader, seq, MOST_LOOKED_AT);
  for (const { id, disabledAt } of await theirs) {
    if (disabledAt !== null) continue;
    const workspace = await findWorkspace(reader, id);
    const from = await ownSender(reader, workspace);
    if (from) return { workspace, from };
  }
  return null;
}
