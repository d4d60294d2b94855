// What the frame shows as soon as it is there, loaded together.
export { AttentionBadge } from "../overview/attention-badge.tsx";
export { Notices } from "./notices.tsx";
import "./forced-colors.css";
import "./print.css";
