// Pages and mails for recipients of a workspace, made by the same code, for a person who does not exist. Its links lead
// nowhere.
import type { PageLook } from "../../content/pages/look.ts";
import { pauseEnd, PAUSE_DAYS } from "../../audience/contacts/pause.ts";
import { dataShownTo, type DataEntry } from "../../programs/preferences/data.ts";
import { brokenPage, gonePage, preferencePage, type PageTopic } from "../../programs/preferences/page.ts";
import type { RecipientLinks } from "../../content/rendering/links.ts";
import { renderParts } from "../../content/rendering/parts.ts";
import type { MailDraft } from "../../content/rendering/draft.ts";
import { confirmationIn, confirmationValues } from "../../mail/emails/send/confirmation.ts";
import { SANS } from "../../base/fonts.ts";
import type { Language } from "../../base/languages/language.ts";
import { RENDERING_MS } from "../../content/templates/liquid/budget.ts";
import type { Workspace } from "../../tenant/workspaces/queries.ts";

export const PREVIEWS = [
  "footer",
  "unsubscribe",
  "paused",
  "left",
  "unsubscribed",
  "confirmation",
  "confirm",
  "subscribed",
  "gone",
  "broken",
] as const;
export type PreviewName = (typeof PREVIEWS)[number];

const EMAIL = "ada@example.com";
/** In place of a token; the frame sends no form. */
const TOKEN = "preview";
const LINKS: RecipientLinks = { unsubscribeUrl: "#unsubscribe", subscribeUrl: "#subscribe", manageUrl: "#manage" };
/** Lines without words, in place of a mail's text. */
const BODY = [100, 92, 97, 48]
  .map((width) => `<div style="height:10px;margin:0 0 12px;border-radius:5px;background:#ddd;width:${width}%"></div>`)
  .join("");

type RecipientPreviewOptions = {
  readonly preview: PreviewName;
  readonly language: Language;
  readonly workspace: Workspace;
  readonly look: PageLook;
  readonly now: string;
  /** The topics of the workspace. */
  readonly topics: readonly PageTopic[];
};

/** HTML. */
export function recipientPreview(shown: RecipientPreviewOptions): string {
  const { preview, language } = shown;
  if (preview === "footer") return mail(marketingMail(shown));
  if (preview === "confirmation") return mail(confirmationMail(shown));
  if (preview === "gone") return gonePage(language);
  return preview === "broken" ? brokenPage(language) : choicePage(shown);
}

/**
 * The same page serves to unsubscribe, to subscribe and to choose: it shows the state, and the button that changes it.
 */
function choicePage(shown: RecipientPreviewOptions): string {
  const { preview, language, workspace, look, now, topics } = shown;
  const pausedUntil = preview === "paused" ? pauseEnd(Date.parse(now), PAUSE_DAYS[0]) : null;
  const subscribed = !["unsubscribed", "confirm"].includes(preview);
  const status = preview === "confirm" ? "PENDING" : "ACTIVE";
  const contact = { email: EMAIL, workspaceName: workspace.name, subscribed, status, pausedUntil } as const;
  const saved = ["unsubscribed", "subscribed", "left"].includes(preview);
  const gone = preview === "left" ? (topics[0]?.name ?? null) : null;
  const asked = preview === "unsubscribed" || preview === "left";
  const question = asked && workspace.asksWhy ? { left: gone } : null;
  const page = { token: TOKEN, language, look, now, declined: false, saved, left: gone, question };
  return preferencePage(contact, { ...page, topics: topicsIn(shown), data: dataIn(shown) });
}

/** The choices of a person who has just left the first topic, or of one without choices. */
function topicsIn({ preview, topics }: RecipientPreviewOptions): readonly PageTopic[] {
  return preview === "left" ? topics.map((topic, at) => (at === 0 ? { ...topic, isIn: false } : topic)) : topics;
}

/** In place of the person's own data. */
function dataIn({ workspace, language }: RecipientPreviewOptions): readonly DataEntry[] {
  const nobody = Object.fromEntries(workspace.pageFields.map(({ key }) => [key, "…"]));
  return dataShownTo(nobody, workspace.pageFields, { language, workspaceLanguage: workspace.language });
}

function marketingMail({ workspace, language }: RecipientPreviewOptions): MailDraft {
  const { id, postalAddress } = workspace;
  const head = `<head><title>${Bun.escapeHTML(workspace.name)}</title></head>`;
  const html = `<!doctype html><html lang="${language}">${head}<body style="margin:32px;background:#fff;font-family:${SANS}">${BODY}</body></html>`;
  const marketing = { workspaceId: id, batch: id, postalAddress, language };
  return { ...draft({ subject: "", html, text: null }), marketing };
}

function confirmationMail({ workspace, language, look }: RecipientPreviewOptions): MailDraft {
  const requestData = JSON.stringify(confirmationValues(workspace.name, look));
  const { subject, html } = confirmationIn({ language, status: "PENDING", look });
  return { ...draft({ subject, html, text: null }), requestData };
}

function draft(content: Pick<MailDraft, "subject" | "html" | "text">): MailDraft {
  const mailbox = { address: EMAIL, name: null };
  const unknown = { preheader: null, contactData: null, requestData: null, subscribed: true, marketing: null };
  return { ...content, ...unknown, from: mailbox, to: mailbox, links: LINKS };
}

function mail(draft: MailDraft): string {
  const [part] = renderParts([{ kind: "mail", draft }], RENDERING_MS).parts;
  return part?.kind === "mail" ? part.html : "";
}
