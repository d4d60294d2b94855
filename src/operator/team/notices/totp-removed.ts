// The mail that tells a user that an owner has removed their authenticator app.
import type { Config } from "../../../base/config.ts";
import type { Tx } from "../../../store/store.ts";
import type { User } from "../queries.ts";
import { accountSender, letterLanguage, mailLetter } from "./letter.ts";

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

/**
 * `by`: the name of the owner. No mail is sent where no workspace of the user can, or where none leaves this server.
 */
export async function mailTotpRemoved(
  tx: Tx,
  user: User,
  by: string | null,
  { delivery, http }: Pick<Config, "delivery" | "http">,
): Promise<void> {
  const sender = await accountSender(tx, user, delivery);
  if (!sender) return;
  const { subject, text, note, somebody, open } = TEXTS[letterLanguage(sender.workspace)];
  const variables = { by: by ?? somebody, account: user.email, link: `${http.baseUrl}/app/me` };
  await mailLetter(tx, { ...sender, to: user.email, subject, paragraphs: [text, note, { link: open }], variables });
}
