// Words for a name that no setting has, with the known name that was probably meant.
import { editDistance } from "../edit-distance.ts";
import { environmentName, KEYS, settablePaths } from "./keys.ts";

/** `path`: a section and a key (`http.prot`), or the name alone where it stands outside of every section. */
export function unknownKey(path: string): string {
  const paths = [...settablePaths().keys()];
  const inOtherSection = paths.find((one) => one.endsWith(`.${path.slice(path.indexOf(".") + 1)}`));
  const meant = nearest(path, paths) ?? inOtherSection;
  if (meant) return `is no known key; did you mean ${meant}?`;
  const siblings = paths.filter((one) => one.startsWith(`${path.split(".")[0]}.`));
  return `is no known key; ${siblings.length > 0 ? `its section has ${siblings.join(", ")}` : sectionList()}`;
}

export function unknownSection(name: string): string {
  const meant = nearest(name, Object.keys(KEYS));
  return `is no known section; ${meant ? `did you mean [${meant}]?` : sectionList()}`;
}

export function unknownVariable(variable: string): string {
  const meant = nearest(variable, [...settablePaths().keys()].map(environmentName));
  return `is no known variable; ${meant ? `did you mean ${meant}?` : "the form is POSTHORN_<SECTION>_<KEY>"}`;
}

function sectionList(): string {
  return `the sections are ${Object.keys(KEYS).join(", ")}`;
}

/** The candidate that is spelt most like `name`, or null when none is near enough to be what was meant. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const furthest = 1 + Math.floor(name.length / 5);
  let best: { candidate: string | null; distance: number } = { candidate: null, distance: furthest + 1 };
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance < best.distance) best = { candidate, distance };
  }
  return best.candidate;
}
