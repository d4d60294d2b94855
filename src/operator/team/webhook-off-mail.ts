// The mail that tells the developers of a workspace of a webhook switched off: in German where the workspace's language
// is German, else in English.
import type { Config } from "../../base/config.ts";
import { accept } from "../../mail/emails/accept.ts";
import { ownSender } from "../../mail/emails/send/confirmation.ts";
import { SANS } from "../../base/fonts.ts";
import type { Tx } from "../../store/store.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import { developersOf } from "./people-queries.ts";

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

type Off = { readonly workspace: number; readonly url: string };

/** Without a verified domain, or where no mail leaves this server, only the overview says so. */
export function mailingDevelopers({ delivery, http }: Pick<Config, "delivery" | "http">) {
  return async (tx: Tx, { workspace, url }: Off): Promise<void> => {
    if (delivery.transport === "capture") return;
    const settings = await ownWorkspace(tx, workspace);
    const from = await ownSender(tx, settings);
    if (!from) return;
    const language = settings.language === "de" ? "de" : "en";
    const variables = {
      host: new URL(url).host,
      workspace: settings.name,
      link: `${http.baseUrl}/app/settings/webhooks`,
    };
    for (const email of await developersOf(tx, workspace))
      await accept(tx, {
        sender: { workspace, domains: null },
        sourceType: "TRANSACTIONAL",
        content: { kind: "TRANSACTIONAL", from, ...partsIn(language, http.face) },
        to: { stranger: email },
        variables,
        private: true,
      });
  };
}

function partsIn(language: keyof typeof TEXTS, hasPages: boolean) {
  const { subject, text, note, open } = TEXTS[language];
  const [link, plain] = hasPages ? [`<p><a href="{{ link }}">${open}</a></p>`, `${open}: {{ link }}\n\n`] : ["", ""];
  return {
    subject,
    html:
      `<!doctype html><html lang="${language}"><body style="font:16px/1.5 ${SANS}"><p>${text}</p>` +
      `<p>${note}</p>${link}</body></html>`,
    text: `${text}\n\n${note}\n\n${plain}`,
  };
}
