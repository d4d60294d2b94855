// The English texts of the settings, loaded together.
export { linkHost } from "../en/link-host.ts";
export { alerts } from "../en/alerts.ts";
export { audit } from "../en/audit.ts";
export { brand } from "../en/brand.ts";
export { domains } from "../en/domains.ts";
export { keys } from "../en/keys.ts";
export { me } from "../en/me.ts";
export { reports } from "../en/reports.ts";
export { recipientPages } from "../en/recipient-pages.ts";
export { server } from "../en/server.ts";
export { smtp } from "../en/smtp.ts";
export { team } from "../en/team.ts";
export { warmup } from "../en/warmup.ts";
export { ways } from "../en/ways.ts";
export { webhooks } from "../en/webhooks.ts";
export { workspace } from "../en/workspace.ts";
export { workspaces } from "../en/workspaces.ts";
