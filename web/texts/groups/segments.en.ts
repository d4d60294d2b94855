// The English texts of segments and conditions, loaded together.
export { condition } from "../en/condition.ts";
export { segments } from "../en/segments.ts";
