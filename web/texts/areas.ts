// The texts of the web interface by area and language. Areas that are needed together share a file, which loads when a
// screen first needs it.
import { area, type Area } from "../base/language.ts";

const EN = {
  frame: () => import("./groups/frame.en.ts"),
  settings: () => import("./groups/settings.en.ts"),
  segments: () => import("./groups/segments.en.ts"),
  writing: () => import("./groups/writing.en.ts"),
  campaigns: () => import("./groups/campaigns.en.ts"),
  statistics: () => import("./groups/statistics.en.ts"),
  people: () => import("./en/people.ts"),
  mail: () => import("./en/mail.ts"),
  labels: () => import("./en/labels.ts"),
  saving: () => import("./en/saving.ts"),
  topics: () => import("./en/topics.ts"),
  workflows: () => import("./en/workflows.ts"),
  starters: () => import("./en/starters.ts"),
  forms: () => import("./en/forms.ts"),
  suppressions: () => import("./en/suppressions-screen.ts"),
  brakes: () => import("./en/brakes.ts"),
  signIn: () => import("./en/sign-in.ts"),
};

const DE: { readonly [Name in keyof typeof EN]: () => ReturnType<(typeof EN)[Name]> } = {
  frame: () => import("./groups/frame.de.ts"),
  settings: () => import("./groups/settings.de.ts"),
  segments: () => import("./groups/segments.de.ts"),
  writing: () => import("./groups/writing.de.ts"),
  campaigns: () => import("./groups/campaigns.de.ts"),
  statistics: () => import("./groups/statistics.de.ts"),
  people: () => import("./de/people.ts"),
  mail: () => import("./de/mail.ts"),
  labels: () => import("./de/labels.ts"),
  saving: () => import("./de/saving.ts"),
  topics: () => import("./de/topics.ts"),
  workflows: () => import("./de/workflows.ts"),
  starters: () => import("./de/starters.ts"),
  forms: () => import("./de/forms.ts"),
  suppressions: () => import("./de/suppressions-screen.ts"),
  brakes: () => import("./de/brakes.ts"),
  signIn: () => import("./de/sign-in.ts"),
};

type File = keyof typeof EN;
type Texts<Of extends File> = Awaited<ReturnType<(typeof EN)[Of]>>;

function textsOf<Of extends File, Name extends keyof Texts<Of>>(file: Of, name: Name): Area<Texts<Of>[Name]> {
  const load = async (loader: () => Promise<unknown>) => ((await loader()) as Texts<Of>)[name];
  return area({ en: () => load(EN[file]), de: () => load(DE[file]) });
}

export const auditTexts = textsOf("settings", "audit");
export const blocksTexts = textsOf("writing", "blocks");
export const brakesTexts = textsOf("brakes", "brakes");
export const brandTexts = textsOf("settings", "brand");
export const campaignsTexts = textsOf("campaigns", "campaigns");
export const accountTexts = textsOf("campaigns", "account");
export const conditionTexts = textsOf("segments", "condition");
export const linkHostTexts = textsOf("settings", "linkHost");
export const firstStartTexts = textsOf("settings", "firstStart");
export const domainsTexts = textsOf("settings", "domains");
export const reportsTexts = textsOf("settings", "reports");
export const signInTexts = textsOf("signIn", "signIn");
export const eventsTexts = textsOf("statistics", "events");
export const formsTexts = textsOf("forms", "forms");
export const suppressionsTexts = textsOf("suppressions", "suppressions");
export const frameTexts = textsOf("frame", "frame");
export const imagesTexts = textsOf("writing", "images");
export const warmupTexts = textsOf("settings", "warmup");
export const forecastTexts = textsOf("campaigns", "forecast");
export const keysTexts = textsOf("settings", "keys");
export const labelsTexts = textsOf("labels", "labels");
export const leaveTexts = textsOf("frame", "leave");
export const mailTexts = textsOf("mail", "mail");
export const meTexts = textsOf("settings", "me");
export const overviewTexts = textsOf("statistics", "overview");
export const peopleTexts = textsOf("people", "people");
export const recipientPagesTexts = textsOf("settings", "recipientPages");
export const savingTexts = textsOf("saving", "saving");
export const segmentsTexts = textsOf("segments", "segments");
export const alertsTexts = textsOf("settings", "alerts");
export const configurationTexts = textsOf("settings", "configuration");
export const serverTexts = textsOf("settings", "server");
export const setUpTexts = textsOf("frame", "setUp");
export const smtpTexts = textsOf("settings", "smtp");
export const statisticsTexts = textsOf("statistics", "statistics");
export const teamTexts = textsOf("settings", "team");
export const templatesTexts = textsOf("writing", "templates");
export const testMailTexts = textsOf("frame", "testMail");
export const versionsTexts = textsOf("writing", "versions");
export const viewsTexts = textsOf("frame", "views");
export const topicsTexts = textsOf("topics", "topics");
export const visualTexts = textsOf("writing", "visual");
export const waysTexts = textsOf("settings", "ways");
export const webhooksTexts = textsOf("settings", "webhooks");
export const workflowsTexts = textsOf("workflows", "workflows");
/** The texts of the starters, loaded only when a workflow is created from one. */
export const startersTexts = textsOf("starters", "starters");
export const workspaceTexts = textsOf("settings", "workspace");
export const workspacesTexts = textsOf("settings", "workspaces");
export const writingTexts = textsOf("writing", "writing");
