// Mails to a user about their own account: in German where the language of the workspace that they come from is German,
// else in English.
import type { Config } from "../../../base/config.ts";
import { SANS } from "../../../base/fonts.ts";
import { accept } from "../../../mail/emails/accept.ts";
import { ownSender } from "../../../mail/emails/send/confirmation.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Mailbox } from "../../../base/addresses.ts";
import { findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import type { Workspace } from "../../../tenant/workspaces/queries.ts";
import { membershipsOf, ownedWorkspaces, type User } from "../queries.ts";

/** Names are variables: their text is never rendered. */
const TEXTS = {
  en: {
    RESET: {
      subject: "Your authenticator app was removed",
      text: "{{ by }} has removed your authenticator app and your recovery codes from your account {{ account }} on Posthorn. Your password is now enough to sign in.",
      note: "Set up an app again under your name. If you did not ask for this, ask an owner of the server why it was done.",
    },
    somebody: "An owner",
    open: "Open your account",
  },
  de: {
    RESET: {
      subject: "Ihre Authentifizierungs-App wurde entfernt",
      text: "{{ by }} hat Ihre Authentifizierungs-App und Ihre Wiederherstellungscodes aus Ihrem Konto {{ account }} bei Posthorn entfernt. Zum Anmelden genügt jetzt Ihr Passwort.",
      note: "Richten Sie unter Ihrem Namen wieder eine App ein. Wenn Sie nicht darum gebeten haben, fragen Sie einen Inhaber des Servers nach dem Grund.",
    },
    somebody: "Ein Inhaber",
    open: "Konto öffnen",
  },
} as const;

type Notice = { readonly notice: "RESET"; /** Who did it, by name. */ readonly by: string | null };

/** From a workspace that the user is in; none is sent where none of them can, or where no mail leaves this server. */
export async function mailNotice(
  tx: Tx,
  user: User,
  { notice, by }: Notice,
  { delivery, http }: Pick<Config, "delivery" | "http">,
): Promise<void> {
  const sender = delivery.transport === "capture" ? null : await senderFor(tx, user);
  if (!sender) return;
  const language = sender.workspace.language === "de" ? "de" : "en";
  const variables = {
    by: by ?? TEXTS[language].somebody,
    account: user.email,
    link: `${http.baseUrl}/app/me`,
  };
  await accept(tx, {
    sender: { workspace: sender.workspace.seq, domains: null },
    sourceType: "TRANSACTIONAL",
    content: { kind: "TRANSACTIONAL", from: sender.from, ...partsIn(language, notice) },
    to: { stranger: user.email },
    variables,
    private: true,
  });
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

function partsIn(language: keyof typeof TEXTS, notice: Notice["notice"]) {
  const { open } = TEXTS[language];
  const { subject, text, note } = TEXTS[language][notice];
  return {
    subject,
    html:
      `<!doctype html><html lang="${language}"><body style="font:16px/1.5 ${SANS}"><p>${text}</p>` +
      `<p>${note}</p><p><a href="{{ link }}">${open}</a></p></body></html>`,
    text: `${text}\n\n${note}\n\n${open}: {{ link }}\n`,
  };
}
