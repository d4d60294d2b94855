// The English texts of campaigns and their results, loaded together.
export { account } from "../en/campaign-results.ts";
export { campaigns } from "../en/campaigns.ts";
export { forecast } from "../en/forecast.ts";
