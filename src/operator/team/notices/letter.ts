// Letters to people of the team: in German where the workspace that they come from is German, else in English.
import type { Mailbox } from "../../../base/addresses.ts";
import { SANS } from "../../../base/fonts.ts";
import { accept } from "../../../mail/emails/accept.ts";
import type { Config } from "../../../base/config.ts";
import { ownSender } from "../../../mail/emails/send/confirmation.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Workspace } from "../../../tenant/workspaces/queries.ts";
import { findWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { membershipsOf, ownedWorkspaces, type User } from "../queries.ts";

type LetterLanguage = "en" | "de";
/** A text, or the words of a link to the variable `link`. */
type LetterParagraph = string | { readonly link: string };

/** Names are variables: their text is never rendered. */
type Letter = {
  readonly workspace: Workspace;
  readonly from: Mailbox;
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly LetterParagraph[];
  readonly variables: Readonly<Record<string, string>>;
};

export function letterLanguage({ language }: Pick<Workspace, "language">): LetterLanguage {
  return language === "de" ? "de" : "en";
}

/** Queues the letter. @throws as `accept` */
export async function mailLetter(tx: Tx, letter: Letter): Promise<void> {
  const { workspace, from, to, subject, paragraphs, variables } = letter;
  const html = paragraphs.map(
    (one) => `<p>${typeof one === "string" ? one : `<a href="{{ link }}">${one.link}</a>`}</p>`,
  );
  const text = paragraphs.map((one) => (typeof one === "string" ? one : `${one.link}: {{ link }}`));
  await accept(tx, {
    sender: { workspace: workspace.seq, domains: null },
    sourceType: "TRANSACTIONAL",
    content: {
      ...{ kind: "TRANSACTIONAL", from, subject },
      html: `<!doctype html><html lang="${letterLanguage(workspace)}"><body style="font:16px/1.5 ${SANS}">${html.join("")}</body></html>`,
      text: `${text.join("\n\n")}\n`,
    },
    to: { stranger: to },
    variables,
    private: true,
  });
}

/** The others are not tried. */
const MOST_LOOKED_AT = 20;

/**
 * Who writes to a user about their account: the first of their workspaces that can. Null where none can, or where no
 * mail leaves this server.
 */
export async function accountSender(
  reader: Reader,
  { seq, isOwner }: User,
  { transport }: Config["delivery"],
): Promise<Pick<Letter, "workspace" | "from"> | null> {
  if (transport === "capture") return null;
  const theirs = isOwner ? ownedWorkspaces(reader, MOST_LOOKED_AT) : membershipsOf(reader, seq, MOST_LOOKED_AT);
  for (const { id, disabledAt } of await theirs) {
    if (disabledAt !== null) continue;
    const workspace = await findWorkspace(reader, id);
    const from = await ownSender(reader, workspace);
    if (from) return { workspace, from };
  }
  return null;
}
