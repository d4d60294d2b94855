// The German texts of segments and conditions, loaded together.
export { condition } from "../de/condition.ts";
export { segments } from "../de/segments.ts";
