// The pages of the guide in reading order, embedded in the executable.
import face from "../../../docs/face/index.md" with { type: "text" };
import faceCampaigns from "../../../docs/face/campaigns.md" with { type: "text" };
import faceEvents from "../../../docs/face/events.md" with { type: "text" };
import faceForms from "../../../docs/face/forms.md" with { type: "text" };
import faceMail from "../../../docs/face/mail.md" with { type: "text" };
import faceOverview from "../../../docs/face/overview.md" with { type: "text" };
import facePeople from "../../../docs/face/people.md" with { type: "text" };
import faceSegments from "../../../docs/face/segments.md" with { type: "text" };
import faceSetUp from "../../../docs/face/settings.md" with { type: "text" };
import faceStatistics from "../../../docs/face/statistics.md" with { type: "text" };
import faceTeam from "../../../docs/face/team.md" with { type: "text" };
import faceWorkflows from "../../../docs/face/workflows.md" with { type: "text" };
import faceWriting from "../../../docs/face/writing.md" with { type: "text" };
import index from "../../../docs/index.md" with { type: "text" };
import sending from "../../../docs/sending.md" with { type: "text" };
import mail from "../../../docs/mail.md" with { type: "text" };
import templates from "../../../docs/templates.md" with { type: "text" };
import images from "../../../docs/images.md" with { type: "text" };
import contacts from "../../../docs/contacts.md" with { type: "text" };
import topics from "../../../docs/topics.md" with { type: "text" };
import preferences from "../../../docs/preferences.md" with { type: "text" };
import consent from "../../../docs/consent.md" with { type: "text" };
import segments from "../../../docs/segments.md" with { type: "text" };
import forms from "../../../docs/forms.md" with { type: "text" };
import campaigns from "../../../docs/campaigns.md" with { type: "text" };
import workflows from "../../../docs/workflows.md" with { type: "text" };
import webhooks from "../../../docs/webhooks.md" with { type: "text" };
import tracking from "../../../docs/tracking.md" with { type: "text" };
import suppressions from "../../../docs/suppressions.md" with { type: "text" };
import statistics from "../../../docs/statistics.md" with { type: "text" };
import verification from "../../../docs/verification.md" with { type: "text" };
import smtp from "../../../docs/smtp.md" with { type: "text" };
import inbound from "../../../docs/inbound.md" with { type: "text" };
import warmUp from "../../../docs/warm-up.md" with { type: "text" };
import reports from "../../../docs/reports.md" with { type: "text" };
import client from "../../../docs/client.md" with { type: "text" };
import providers from "../../../docs/providers.md" with { type: "text" };
import bounces from "../../../docs/bounces.md" with { type: "text" };
import compat from "../../../docs/compat.md" with { type: "text" };
import moving from "../../../docs/moving/index.md" with { type: "text" };
import movingResend from "../../../docs/moving/resend.md" with { type: "text" };
import movingPostmark from "../../../docs/moving/postmark.md" with { type: "text" };
import movingSendGrid from "../../../docs/moving/sendgrid.md" with { type: "text" };
import movingPlunk from "../../../docs/moving/plunk.md" with { type: "text" };
import movingListmonk from "../../../docs/moving/listmonk.md" with { type: "text" };
import domains from "../../../docs/domains.md" with { type: "text" };
import api from "../../../docs/api.md" with { type: "text" };
import configuration from "../../../docs/configuration.md" with { type: "text" };
import team from "../../../docs/team.md" with { type: "text" };
import scaling from "../../../docs/scaling.md" with { type: "text" };
import operateBackup from "../../../docs/operate/backup.md" with { type: "text" };
import operateRetention from "../../../docs/operate/retention.md" with { type: "text" };
import operateTls from "../../../docs/operate/tls.md" with { type: "text" };
import operateInstall from "../../../docs/operate/install.md" with { type: "text" };
import operateSizing from "../../../docs/operate/sizing.md" with { type: "text" };
import operateTroubles from "../../../docs/operate/troubles.md" with { type: "text" };
import operateUpgrade from "../../../docs/operate/upgrade.md" with { type: "text" };
import operatePace from "../../../docs/operate/pace.md" with { type: "text" };
import operateWays from "../../../docs/operate/ways.md" with { type: "text" };
import operateQueue from "../../../docs/operate/queue.md" with { type: "text" };
import operateMonitoring from "../../../docs/operate/monitoring.md" with { type: "text" };
import security from "../../../docs/security.md" with { type: "text" };
import linkHost from "../../../docs/link-host.md" with { type: "text" };
import limits from "../../../docs/limits.md" with { type: "text" };

/** By name, as in `docs/<name>.md` and `/docs/guide/<name>`; the first page of a folder is at the folder. */
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
    topics,
    preferences,
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
