// The mail that tells the developers of a workspace of a webhook switched off.
import type { Config } from "../../../base/config.ts";
import { ownSender } from "../../../mail/emails/send/confirmation.ts";
import type { Tx } from "../../../store/store.ts";
import { ownWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { developersOf } from "../people-queries.ts";
import { letterLanguage, mailLetter } from "./letter.ts";

/** The host is a variable: its text is never rendered. */
const TEXTS = {
  en: {
    subject: "The webhook to {{ host }} is off",
    text: "No call to {{ host }} has got through for three days, so the webhook of {{ workspace }} was switched off.",
    note: "Events are kept for 30 days. Once the server answers again, switch the webhook on and replay what it missed.",
    open: "Open the webhooks",
  },
  de: {
    subject: "Der Webhook an {{ host }} ist ausgeschaltet",
    text: "Drei Tage lang kam kein Aufruf bei {{ host }} an. Deshalb wurde der Webhook von {{ workspace }} ausgeschaltet.",
    note: "Ereignisse werden 30 Tage lang aufbewahrt. Wenn der Server wieder antwortet, schalten Sie den Webhook ein und senden Sie erneut, was ihm fehlt.",
    open: "Webhooks öffnen",
  },
} as const;

type DisabledWebhook = { readonly workspace: number; readonly url: string };

/** Without a verified domain, or where no mail leaves this server, only the overview says so. */
export function mailingDevelopers({ delivery, http }: Pick<Config, "delivery" | "http">) {
  return async (tx: Tx, { workspace: seq, url }: DisabledWebhook): Promise<void> => {
    if (delivery.transport === "capture") return;
    const workspace = await ownWorkspace(tx, seq);
    const from = await ownSender(tx, workspace);
    if (!from) return;
    const { subject, text, note, open } = TEXTS[letterLanguage(workspace)];
    const paragraphs = [text, note, ...(http.face ? [{ link: open }] : [])];
    const link = `${http.baseUrl}/app/settings/webhooks`;
    const variables = { host: new URL(url).host, workspace: workspace.name, link };
    for (const to of await developersOf(tx, seq))
      await mailLetter(tx, { workspace, from, to, subject, paragraphs, variables });
  };
}
