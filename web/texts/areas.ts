// The texts of each part of the face, in each language: a file each, loaded when a screen first needs it.
import { area, type Area } from "../language.ts";

/** By the name under which the file exports them. */
const EN = {
  audit: () => import("./en/audit.ts"),
  blocks: () => import("./en/blocks.ts"),
  brand: () => import("./en/brand.ts"),
  campaigns: () => import("./en/campaigns.ts"),
  account: () => import("./en/campaign-results.ts"),
  condition: () => import("./en/condition.ts"),
  domains: () => import("./en/domains.ts"),
  signIn: () => import("./en/sign-in.ts"),
  events: () => import("./en/events.ts"),
  frame: () => import("./en/frame.ts"),
  images: () => import("./en/images.ts"),
  keys: () => import("./en/keys.ts"),
  leave: () => import("./en/leave.ts"),
  mail: () => import("./en/mail.ts"),
  me: () => import("./en/me.ts"),
  overview: () => import("./en/overview.ts"),
  people: () => import("./en/people.ts"),
  recipientPages: () => import("./en/recipient-pages.ts"),
  segments: () => import("./en/segments.ts"),
  server: () => import("./en/server.ts"),
  setUp: () => import("./en/settings.ts"),
  smtp: () => import("./en/smtp.ts"),
  statistics: () => import("./en/statistics.ts"),
  team: () => import("./en/team.ts"),
  templates: () => import("./en/templates.ts"),
  testMail: () => import("./en/test-email.ts"),
  versions: () => import("./en/versions.ts"),
  views: () => import("./en/views.ts"),
  visual: () => import("./en/visual.ts"),
  webhooks: () => import("./en/webhooks.ts"),
  workflows: () => import("./en/workflows.ts"),
  starters: () => import("./en/starters.ts"),
  workspace: () => import("./en/workspace.ts"),
  workspaces: () => import("./en/workspaces.ts"),
  writing: () => import("./en/writing.ts"),
};

const DE: { readonly [Name in keyof typeof EN]: () => ReturnType<(typeof EN)[Name]> } = {
  audit: () => import("./de/audit.ts"),
  blocks: () => import("./de/blocks.ts"),
  brand: () => import("./de/brand.ts"),
  campaigns: () => import("./de/campaigns.ts"),
  account: () => import("./de/campaign-results.ts"),
  condition: () => import("./de/condition.ts"),
  domains: () => import("./de/domains.ts"),
  signIn: () => import("./de/sign-in.ts"),
  events: () => import("./de/events.ts"),
  frame: () => import("./de/frame.ts"),
  images: () => import("./de/images.ts"),
  keys: () => import("./de/keys.ts"),
  leave: () => import("./de/leave.ts"),
  mail: () => import("./de/mail.ts"),
  me: () => import("./de/me.ts"),
  overview: () => import("./de/overview.ts"),
  people: () => import("./de/people.ts"),
  recipientPages: () => import("./de/recipient-pages.ts"),
  segments: () => import("./de/segments.ts"),
  server: () => import("./de/server.ts"),
  setUp: () => import("./de/settings.ts"),
  smtp: () => import("./de/smtp.ts"),
  statistics: () => import("./de/statistics.ts"),
  team: () => import("./de/team.ts"),
  templates: () => import("./de/templates.ts"),
  testMail: () => import("./de/test-email.ts"),
  versions: () => import("./de/versions.ts"),
  views: () => import("./de/views.ts"),
  visual: () => import("./de/visual.ts"),
  webhooks: () => import("./de/webhooks.ts"),
  workflows: () => import("./de/workflows.ts"),
  starters: () => import("./de/starters.ts"),
  workspace: () => import("./de/workspace.ts"),
  workspaces: () => import("./de/workspaces.ts"),
  writing: () => import("./de/writing.ts"),
};

type Texts<Name extends keyof typeof EN> =
  Awaited<ReturnType<(typeof EN)[Name]>> extends Readonly<Record<Name, infer Known>> ? Known : never;

function textsOf<Name extends keyof typeof EN>(name: Name): Area<Texts<Name>> {
  const load = async (loader: () => Promise<unknown>) => ((await loader()) as Record<Name, Texts<Name>>)[name];
  return area({ en: () => load(EN[name]), de: () => load(DE[name]) });
}

export const auditTexts = textsOf("audit");
export const blocksTexts = textsOf("blocks");
export const brandTexts = textsOf("brand");
export const campaignsTexts = textsOf("campaigns");
export const accountTexts = textsOf("account");
export const conditionTexts = textsOf("condition");
export const domainsTexts = textsOf("domains");
export const signInTexts = textsOf("signIn");
export const eventsTexts = textsOf("events");
export const frameTexts = textsOf("frame");
export const imagesTexts = textsOf("images");
export const keysTexts = textsOf("keys");
export const leaveTexts = textsOf("leave");
export const mailTexts = textsOf("mail");
export const meTexts = textsOf("me");
export const overviewTexts = textsOf("overview");
export const peopleTexts = textsOf("people");
export const recipientPagesTexts = textsOf("recipientPages");
export const segmentsTexts = textsOf("segments");
export const serverTexts = textsOf("server");
export const setUpTexts = textsOf("setUp");
export const smtpTexts = textsOf("smtp");
export const statisticsTexts = textsOf("statistics");
export const teamTexts = textsOf("team");
export const templatesTexts = textsOf("templates");
export const testMailTexts = textsOf("testMail");
export const versionsTexts = textsOf("versions");
export const viewsTexts = textsOf("views");
export const visualTexts = textsOf("visual");
export const webhooksTexts = textsOf("webhooks");
export const workflowsTexts = textsOf("workflows");
/** What the templates to begin with say; only who begins with one needs it. */
export const startersTexts = textsOf("starters");
export const workspaceTexts = textsOf("workspace");
export const workspacesTexts = textsOf("workspaces");
export const writingTexts = textsOf("writing");
