// The mail that tells a user of a sign-in in a browser that is new to their account.
import type { Config } from "../../../base/config.ts";
import type { Tx } from "../../../store/store.ts";
import type { User } from "../queries.ts";
import { accountSender, letterLanguage, mailLetter } from "./letter.ts";

/** Values are variables: their text is never rendered. */
const TEXTS = {
  en: {
    subject: "New sign-in to your Posthorn account",
    text: "Your account {{ account }} was signed in to on {{ time }}, in a browser that it had not been used in before.",
    note: "If this was you, you need not do anything. If not, change your password and end the other sessions under your name.",
    open: "Open your account",
  },
  de: {
    subject: "Neue Anmeldung bei Ihrem Posthorn-Konto",
    text: "Bei Ihrem Konto {{ account }} gab es am {{ time }} eine Anmeldung in einem Browser, in dem es zuvor nicht benutzt wurde.",
    note: "Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, ändern Sie Ihr Passwort und beenden Sie unter Ihrem Namen die anderen Sitzungen.",
    open: "Konto öffnen",
  },
} as const;

/** No mail is sent where no workspace of the user can, or where none leaves this server. */
export async function mailNewDevice(
  tx: Tx,
  user: User,
  { delivery, http }: Pick<Config, "delivery" | "http">,
): Promise<void> {
  const sender = await accountSender(tx, user, delivery);
  if (!sender) return;
  const language = letterLanguage(sender.workspace);
  const { subject, text, note, open } = TEXTS[language];
  const format = new Intl.DateTimeFormat(language === "de" ? "de" : "en-GB", {
    dateStyle: "long",
    timeStyle: "long",
    timeZone: "UTC",
  });
  const variables = { account: user.email, time: format.format(tx.nowMs), link: `${http.baseUrl}/app/me` };
  await mailLetter(tx, { ...sender, to: user.email, subject, paragraphs: [text, note, { link: open }], variables });
}
