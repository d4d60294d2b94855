// The German texts of the settings, loaded together.
export { linkHost } from "../de/link-host.ts";
export { alerts } from "../de/alerts.ts";
export { audit } from "../de/audit.ts";
export { brand } from "../de/brand.ts";
export { domains } from "../de/domains.ts";
export { keys } from "../de/keys.ts";
export { me } from "../de/me.ts";
export { reports } from "../de/reports.ts";
export { recipientPages } from "../de/recipient-pages.ts";
export { server } from "../de/server.ts";
export { smtp } from "../de/smtp.ts";
export { team } from "../de/team.ts";
export { warmup } from "../de/warmup.ts";
export { ways } from "../de/ways.ts";
export { webhooks } from "../de/webhooks.ts";
export { workspace } from "../de/workspace.ts";
export { workspaces } from "../de/workspaces.ts";
