// The English texts of every screen, loaded together.
export { frame } from "../en/frame.ts";
export { leave } from "../en/leave.ts";
export { setUp } from "../en/settings.ts";
export { testMail } from "../en/test-email.ts";
export { views } from "../en/views.ts";
