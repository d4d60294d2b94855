// The texts of each part of the face, in each language: a file each, loaded when a screen first needs it.
import { area } from "../language.ts";

export const auditTexts = area({
  en: () => import("./en/audit.ts").then(({ audit }) => audit),
  de: () => import("./de/audit.ts").then(({ audit }) => audit),
});

export const blocksTexts = area({
  en: () => import("./en/blocks.ts").then(({ blocks }) => blocks),
  de: () => import("./de/blocks.ts").then(({ blocks }) => blocks),
});

export const brandTexts = area({
  en: () => import("./en/brand.ts").then(({ brand }) => brand),
  de: () => import("./de/brand.ts").then(({ brand }) => brand),
});

export const campaignsTexts = area({
  en: () => import("./en/campaigns.ts").then(({ campaigns }) => campaigns),
  de: () => import("./de/campaigns.ts").then(({ campaigns }) => campaigns),
});

export const accountTexts = area({
  en: () => import("./en/campaign-account.ts").then(({ account }) => account),
  de: () => import("./de/campaign-account.ts").then(({ account }) => account),
});

export const conditionTexts = area({
  en: () => import("./en/condition.ts").then(({ condition }) => condition),
  de: () => import("./de/condition.ts").then(({ condition }) => condition),
});

export const domainsTexts = area({
  en: () => import("./en/domains.ts").then(({ domains }) => domains),
  de: () => import("./de/domains.ts").then(({ domains }) => domains),
});

export const signInTexts = area({
  en: () => import("./en/sign-in.ts").then(({ signIn }) => signIn),
  de: () => import("./de/sign-in.ts").then(({ signIn }) => signIn),
});

export const eventsTexts = area({
  en: () => import("./en/events.ts").then(({ events }) => events),
  de: () => import("./de/events.ts").then(({ events }) => events),
});

export const frameTexts = area({
  en: () => import("./en/frame.ts").then(({ frame }) => frame),
  de: () => import("./de/frame.ts").then(({ frame }) => frame),
});

export const imagesTexts = area({
  en: () => import("./en/images.ts").then(({ images }) => images),
  de: () => import("./de/images.ts").then(({ images }) => images),
});

export const keysTexts = area({
  en: () => import("./en/keys.ts").then(({ keys }) => keys),
  de: () => import("./de/keys.ts").then(({ keys }) => keys),
});

export const leaveTexts = area({
  en: () => import("./en/leave.ts").then(({ leave }) => leave),
  de: () => import("./de/leave.ts").then(({ leave }) => leave),
});

export const mailTexts = area({
  en: () => import("./en/mail.ts").then(({ mail }) => mail),
  de: () => import("./de/mail.ts").then(({ mail }) => mail),
});

export const meTexts = area({
  en: () => import("./en/me.ts").then(({ me }) => me),
  de: () => import("./de/me.ts").then(({ me }) => me),
});

export const overviewTexts = area({
  en: () => import("./en/overview.ts").then(({ overview }) => overview),
  de: () => import("./de/overview.ts").then(({ overview }) => overview),
});

export const peopleTexts = area({
  en: () => import("./en/people.ts").then(({ people }) => people),
  de: () => import("./de/people.ts").then(({ people }) => people),
});

export const recipientPagesTexts = area({
  en: () => import("./en/recipient-pages.ts").then(({ recipientPages }) => recipientPages),
  de: () => import("./de/recipient-pages.ts").then(({ recipientPages }) => recipientPages),
});

export const segmentsTexts = area({
  en: () => import("./en/segments.ts").then(({ segments }) => segments),
  de: () => import("./de/segments.ts").then(({ segments }) => segments),
});

export const serverTexts = area({
  en: () => import("./en/server.ts").then(({ server }) => server),
  de: () => import("./de/server.ts").then(({ server }) => server),
});

export const setUpTexts = area({
  en: () => import("./en/set-up.ts").then(({ setUp }) => setUp),
  de: () => import("./de/set-up.ts").then(({ setUp }) => setUp),
});

export const smtpTexts = area({
  en: () => import("./en/smtp.ts").then(({ smtp }) => smtp),
  de: () => import("./de/smtp.ts").then(({ smtp }) => smtp),
});

export const statisticsTexts = area({
  en: () => import("./en/statistics.ts").then(({ statistics }) => statistics),
  de: () => import("./de/statistics.ts").then(({ statistics }) => statistics),
});

export const teamTexts = area({
  en: () => import("./en/team.ts").then(({ team }) => team),
  de: () => import("./de/team.ts").then(({ team }) => team),
});

export const templatesTexts = area({
  en: () => import("./en/templates.ts").then(({ templates }) => templates),
  de: () => import("./de/templates.ts").then(({ templates }) => templates),
});

export const testMailTexts = area({
  en: () => import("./en/test-mail.ts").then(({ testMail }) => testMail),
  de: () => import("./de/test-mail.ts").then(({ testMail }) => testMail),
});

export const versionsTexts = area({
  en: () => import("./en/versions.ts").then(({ versions }) => versions),
  de: () => import("./de/versions.ts").then(({ versions }) => versions),
});

export const viewsTexts = area({
  en: () => import("./en/views.ts").then(({ views }) => views),
  de: () => import("./de/views.ts").then(({ views }) => views),
});

export const visualTexts = area({
  en: () => import("./en/visual.ts").then(({ visual }) => visual),
  de: () => import("./de/visual.ts").then(({ visual }) => visual),
});

export const webhooksTexts = area({
  en: () => import("./en/webhooks.ts").then(({ webhooks }) => webhooks),
  de: () => import("./de/webhooks.ts").then(({ webhooks }) => webhooks),
});

export const workflowsTexts = area({
  en: () => import("./en/workflows.ts").then(({ workflows }) => workflows),
  de: () => import("./de/workflows.ts").then(({ workflows }) => workflows),
});

/** What the templates to begin with say; only who begins with one needs it. */
export const startersTexts = area({
  en: () => import("./en/starters.ts").then(({ starters }) => starters),
  de: () => import("./de/starters.ts").then(({ starters }) => starters),
});

export const workspaceTexts = area({
  en: () => import("./en/workspace.ts").then(({ workspace }) => workspace),
  de: () => import("./de/workspace.ts").then(({ workspace }) => workspace),
});

export const workspacesTexts = area({
  en: () => import("./en/workspaces.ts").then(({ workspaces }) => workspaces),
  de: () => import("./de/workspaces.ts").then(({ workspaces }) => workspaces),
});

export const writingTexts = area({
  en: () => import("./en/writing.ts").then(({ writing }) => writing),
  de: () => import("./de/writing.ts").then(({ writing }) => writing),
});
