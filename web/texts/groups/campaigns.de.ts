// The German texts of campaigns and their results, loaded together.
export { account } from "../de/campaign-results.ts";
export { campaigns } from "../de/campaigns.ts";
export { forecast } from "../de/forecast.ts";
