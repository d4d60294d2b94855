// What a copy is called: of a template, and of what is made of templates.
import { LONGEST_RECORD_NAME } from "../http/schemas.ts";

const COPY = " (Copy)";

/** No longer than any name may be, and no character is cut in two. */
export function copyName(name: string): string {
  return `${name.slice(0, LONGEST_RECORD_NAME - COPY.length).replace(/[\ud800-\udbff]$/, "")}${COPY}`;
}
