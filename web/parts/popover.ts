// What a menu and a select open: React Aria's popover, and how a menu looks.
import "./menu.css";
export { Popover } from "react-aria-components/Popover";
