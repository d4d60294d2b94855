// What the frame shows as soon as it is there, loaded together.
export { AttentionBadge } from "../overview/attention-badge.tsx";
export { StateBar } from "./state-bar.tsx";
import "./forced-colors.css";
import "./print.css";
