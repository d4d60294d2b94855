// The popover of menus and selects, from React Aria.
import "./menu.css";
export { Popover } from "react-aria-components/Popover";
