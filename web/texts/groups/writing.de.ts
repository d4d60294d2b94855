// The German texts of the editor and templates, loaded together.
export { blocks } from "../de/blocks.ts";
export { images } from "../de/images.ts";
export { templates } from "../de/templates.ts";
export { versions } from "../de/versions.ts";
export { visual } from "../de/visual.ts";
export { writing } from "../de/writing.ts";
