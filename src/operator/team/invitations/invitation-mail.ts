// The invitation mail to a workspace: in German where the workspace's language is German, else in English.
import type { Config } from "../../../base/config.ts";
import { domainOf } from "../../../base/addresses.ts";
import { accept } from "../../../mail/emails/accept.ts";
import { ownSender } from "../../../mail/emails/send/confirmation.ts";
import { SANS } from "../../../base/fonts.ts";
import type { Tx } from "../../../store/store.ts";
import { nameForStranger } from "./first-name.ts";
import { ownWorkspace } from "../../../tenant/workspaces/workspace.ts";

/**
 * Why none is sent: no mail leaves this server, the workspace has no verified domain, or the inviter did not want one.
 */
export type NotMailed = "CAPTURE" | "NO_DOMAIN" | "NOT_WANTED";

type InvitationMail = {
  readonly workspace: number;
  readonly email: string;
  readonly by: string | null;
  readonly link: string;
};

/** Names are variables: their text is never rendered. */
const TEXTS = {
  en: {
    subject: "{{ by }} invites you to {{ workspace }}",
    text: "{{ by }} invites you to work in {{ workspace }} on Posthorn.",
    accept: "Accept the invitation",
    note: "The link works once, for seven days. If you do not know {{ by }}, ignore this email.",
    somebody: "A colleague",
  },
  de: {
    subject: "{{ by }} lädt Sie zu {{ workspace }} ein",
    text: "{{ by }} lädt Sie ein, in Posthorn an {{ workspace }} mitzuarbeiten.",
    accept: "Einladung annehmen",
    note: "Der Link gilt einmal und sieben Tage lang. Wenn Sie {{ by }} nicht kennen, ignorieren Sie diese E-Mail.",
    somebody: "Ein Mitglied",
  },
} as const;

/** Queues the mail; answers why not, null = it is queued. */
export async function mailInvitation(
  tx: Tx,
  { workspace, email, by, link }: InvitationMail,
  transport: Config["delivery"]["transport"],
): Promise<NotMailed | null> {
  if (transport === "capture") return "CAPTURE";
  const settings = await ownWorkspace(tx, workspace);
  const from = await ownSender(tx, settings);
  if (!from) return "NO_DOMAIN";
  const language = settings.language === "de" ? "de" : "en";
  const variables = {
    by: by ?? TEXTS[language].somebody,
    workspace: await nameForStranger(tx, settings, domainOf(from.address)),
    link,
  };
  const content = { kind: "TRANSACTIONAL", from, ...partsIn(language) } as const;
  await accept(tx, {
    sender: { workspace, domains: null },
    sourceType: "TRANSACTIONAL",
    content,
    to: { stranger: email },
    variables,
    private: true,
  });
  return null;
}

function partsIn(language: keyof typeof TEXTS) {
  const { subject, text, accept, note } = TEXTS[language];
  return {
    subject,
    html:
      `<!doctype html><html lang="${language}"><body style="font:16px/1.5 ${SANS}"><p>${text}</p>` +
      `<p><a href="{{ link }}">${accept}</a></p><p>${note}</p></body></html>`,
    text: `${text}\n\n${accept}: {{ link }}\n\n${note}\n`,
  };
}
