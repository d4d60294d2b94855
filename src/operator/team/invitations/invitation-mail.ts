// The invitation mail to a workspace.
import type { Config } from "../../../base/config.ts";
import { domainOf } from "../../../base/addresses.ts";
import { ownSender } from "../../../mail/emails/send/confirmation.ts";
import type { Tx } from "../../../store/store.ts";
import { nameForStranger } from "./first-name.ts";
import { ownWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { letterLanguage, mailLetter } from "../notices/letter.ts";

/**
 * Why none is sent: no mail leaves this server, the workspace has no verified domain, or the inviter did not want one.
 */
export type UnsentReason = "CAPTURE" | "NO_DOMAIN" | "NOT_WANTED";

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
  { workspace: seq, email: to, by, link }: InvitationMail,
  transport: Config["delivery"]["transport"],
): Promise<UnsentReason | null> {
  if (transport === "capture") return "CAPTURE";
  const workspace = await ownWorkspace(tx, seq);
  const from = await ownSender(tx, workspace);
  if (!from) return "NO_DOMAIN";
  const { subject, text, accept, note, somebody } = TEXTS[letterLanguage(workspace)];
  const name = await nameForStranger(tx, workspace, domainOf(from.address));
  const variables = { by: by ?? somebody, workspace: name, link };
  await mailLetter(tx, { workspace, from, to, subject, paragraphs: [text, { link: accept }, note], variables });
  return null;
}
