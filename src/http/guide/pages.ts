// The pages of the guide in reading order, embedded in the executable as files: as texts of the program they would be in it
// three times.
import { readFileSync } from "node:fs";
import face from "../../../docs/face/index.md" with { type: "file" };
import faceCampaigns from "../../../docs/face/campaigns.md" with { type: "file" };
import faceEvents from "../../../docs/face/events.md" with { type: "file" };
import faceForms from "../../../docs/face/forms.md" with { type: "file" };
import faceMail from "../../../docs/face/mail.md" with { type: "file" };
import faceOverview from "../../../docs/face/overview.md" with { type: "file" };
import facePeople from "../../../docs/face/people.md" with { type: "file" };
import faceSegments from "../../../docs/face/segments.md" with { type: "file" };
import faceSetUp from "../../../docs/face/settings.md" with { type: "file" };
import faceStatistics from "../../../docs/face/statistics.md" with { type: "file" };
import faceTeam from "../../../docs/face/team.md" with { type: "file" };
import faceWorkflows from "../../../docs/face/workflows.md" with { type: "file" };
import faceWriting from "../../../docs/face/writing.md" with { type: "file" };
import index from "../../../docs/index.md" with { type: "file" };
import sending from "../../../docs/sending.md" with { type: "file" };
import mail from "../../../docs/mail.md" with { type: "file" };
import templates from "../../../docs/templates.md" with { type: "file" };
import images from "../../../docs/images.md" with { type: "file" };
import contacts from "../../../docs/contacts.md" with { type: "file" };
import events from "../../../docs/events.md" with { type: "file" };
import imports from "../../../docs/imports.md" with { type: "file" };
import duplicates from "../../../docs/duplicates.md" with { type: "file" };
import signUps from "../../../docs/sign-ups.md" with { type: "file" };
import recipientPages from "../../../docs/recipient-pages.md" with { type: "file" };
import erasure from "../../../docs/erasure.md" with { type: "file" };
import topics from "../../../docs/topics.md" with { type: "file" };
import preferences from "../../../docs/preferences.md" with { type: "file" };
import consent from "../../../docs/consent.md" with { type: "file" };
import segments from "../../../docs/segments.md" with { type: "file" };
import forms from "../../../docs/forms.md" with { type: "file" };
import campaigns from "../../../docs/campaigns.md" with { type: "file" };
import workflows from "../../../docs/workflows.md" with { type: "file" };
import webhooks from "../../../docs/webhooks.md" with { type: "file" };
import tracking from "../../../docs/tracking.md" with { type: "file" };
import suppressions from "../../../docs/suppressions.md" with { type: "file" };
import statistics from "../../../docs/statistics.md" with { type: "file" };
import verification from "../../../docs/verification.md" with { type: "file" };
import smtp from "../../../docs/smtp.md" with { type: "file" };
import inbound from "../../../docs/inbound.md" with { type: "file" };
import warmUp from "../../../docs/warm-up.md" with { type: "file" };
import reports from "../../../docs/reports.md" with { type: "file" };
import client from "../../../docs/client.md" with { type: "file" };
import providers from "../../../docs/providers.md" with { type: "file" };
import bounces from "../../../docs/bounces.md" with { type: "file" };
import compat from "../../../docs/compat.md" with { type: "file" };
import moving from "../../../docs/moving/index.md" with { type: "file" };
import movingResend from "../../../docs/moving/resend.md" with { type: "file" };
import movingPostmark from "../../../docs/moving/postmark.md" with { type: "file" };
import movingSendGrid from "../../../docs/moving/sendgrid.md" with { type: "file" };
import movingPlunk from "../../../docs/moving/plunk.md" with { type: "file" };
import movingListmonk from "../../../docs/moving/listmonk.md" with { type: "file" };
import domains from "../../../docs/domains.md" with { type: "file" };
import api from "../../../docs/api.md" with { type: "file" };
import configuration from "../../../docs/configuration.md" with { type: "file" };
import team from "../../../docs/team.md" with { type: "file" };
import scaling from "../../../docs/scaling.md" with { type: "file" };
import operateBackup from "../../../docs/operate/backup.md" with { type: "file" };
import operateRetention from "../../../docs/operate/retention.md" with { type: "file" };
import operateTls from "../../../docs/operate/tls.md" with { type: "file" };
import operateInstall from "../../../docs/operate/install.md" with { type: "file" };
import operateSizing from "../../../docs/operate/sizing.md" with { type: "file" };
import operateTroubles from "../../../docs/operate/troubles.md" with { type: "file" };
import operateUpgrade from "../../../docs/operate/upgrade.md" with { type: "file" };
import operatePace from "../../../docs/operate/pace.md" with { type: "file" };
import operateWays from "../../../docs/operate/ways.md" with { type: "file" };
import operateQueue from "../../../docs/operate/queue.md" with { type: "file" };
import operateMonitoring from "../../../docs/operate/monitoring.md" with { type: "file" };
import security from "../../../docs/security.md" with { type: "file" };
import linkHost from "../../../docs/link-host.md" with { type: "file" };
import limits from "../../../docs/limits.md" with { type: "file" };

/**
 * The file of each, by name, as in `docs/<name>.md` and `/docs/guide/<name>`; the first page of a folder is at the folder.
 */
export const PAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    index,
    "face/index": face,
    "face/campaigns": faceCampaigns,
    "face/events": faceEvents,
    "face/mail": faceMail,
    "face/overview": faceOverview,
    "face/people": facePeople,
    "face/segments": faceSegments,
    "face/forms": faceForms,
    "face/settings": faceSetUp,
    "face/statistics": faceStatistics,
    "face/team": faceTeam,
    "face/workflows": faceWorkflows,
    "face/writing": faceWriting,
    sending,
    mail,
    templates,
    images,
    contacts,
    events,
    imports,
    duplicates,
    "sign-ups": signUps,
    topics,
    "recipient-pages": recipientPages,
    preferences,
    erasure,
    consent,
    suppressions,
    segments,
    forms,
    campaigns,
    workflows,
    webhooks,
    tracking,
    "link-host": linkHost,
    statistics,
    verification,
    smtp,
    client,
    inbound,
    reports,
    "warm-up": warmUp,
    bounces,
    providers,
    domains,
    "operate/backup": operateBackup,
    "operate/install": operateInstall,
    "operate/monitoring": operateMonitoring,
    "operate/queue": operateQueue,
    "operate/pace": operatePace,
    "operate/ways": operateWays,
    "operate/retention": operateRetention,
    "operate/tls": operateTls,
    "operate/sizing": operateSizing,
    "operate/troubles": operateTroubles,
    "operate/upgrade": operateUpgrade,
    "moving/index": moving,
    "moving/resend": movingResend,
    "moving/postmark": movingPostmark,
    "moving/sendgrid": movingSendGrid,
    "moving/plunk": movingPlunk,
    "moving/listmonk": movingListmonk,
    compat,
    api,
    configuration,
    team,
    scaling,
    security,
    limits,
  }),
);

/** As it is in the repository; empty if there is no such page. */
export function pageText(name: string): string {
  const file = PAGES.get(name);
  return file === undefined ? "" : readFileSync(file, "utf8");
}
