// Parts of the frame that are loaded after it, together in one file.
export { AttentionBadge } from "../overview/attention-badge.tsx";
export { Notices } from "./notices.tsx";
import "./forced-colors.css";
import "./print.css";
