// The German texts of every screen, loaded together.
export { frame } from "../de/frame.ts";
export { leave } from "../de/leave.ts";
export { setUp } from "../de/settings.ts";
export { testMail } from "../de/test-email.ts";
export { views } from "../de/views.ts";
