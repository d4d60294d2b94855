// The English texts of the editor and templates, loaded together.
export { blocks } from "../en/blocks.ts";
export { images } from "../en/images.ts";
export { templates } from "../en/templates.ts";
export { versions } from "../en/versions.ts";
export { visual } from "../en/visual.ts";
export { writing } from "../en/writing.ts";
