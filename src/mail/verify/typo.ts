// Domains that look like a slip in a well-known one: gmial.com, hotmail.con.
import { editDistance } from "../../base/edit-distance.ts";

/** Shorter names are too close to other real domains. */
const MIN_NAME_CHARS = 5;
/** From this length on two slips still point to one name. */
const LONG_NAME_CHARS = 9;

type DomainParts = { readonly name: string; readonly ending: string };

/** The domain of `wellKnown` that was probably meant, the first of equally near ones; null if none is near. */
export function meantDomain(domain: string, wellKnown: readonly string[]): string | null {
  const written = partsOf(domain);
  let meant: string | null = null;
  let fewest = Infinity;
  for (const known of wellKnown) {
    const slips = slipsBetween(written, partsOf(known));
    if (slips === 0) return null;
    if (slips < fewest) [meant, fewest] = [known, slips];
  }
  return meant;
}

function partsOf(domain: string): DomainParts {
  const dot = domain.indexOf(".");
  return { name: domain.slice(0, dot), ending: domain.slice(dot + 1) };
}

/** Infinity if one is not a slip for the other. */
function slipsBetween(written: DomainParts, known: DomainParts): number {
  const inName = slipsInName(written.name, known.name);
  if (inName === Infinity) return Infinity;
  const inEnding = slipsInEnding(written, known);
  return inName + inEnding > 2 ? Infinity : inName + inEnding;
}

/** The first letter is seldom mistyped, and names that differ in it are often others (wahoo.com, cloud.com). */
function slipsInName(written: string, known: string): number {
  if (written === known) return 0;
  if (known.length < MIN_NAME_CHARS || written[0] !== known[0]) return Infinity;
  const most = known.length >= LONG_NAME_CHARS ? 2 : 1;
  if (Math.abs(written.length - known.length) > most) return Infinity;
  const slips = editDistance(written, known);
  return slips <= most ? slips : Infinity;
}

/** Another country is not a slip: hotmail.cz does not mean hotmail.ch. */
function slipsInEnding(written: DomainParts, known: DomainParts): number {
  if (written.ending === known.ending) return 0;
  if (known.ending.length < 3 || known.ending.includes(".") || written.ending.includes(".")) return Infinity;
  if (written.ending.length <= 2 && known.name.length < MIN_NAME_CHARS) return Infinity;
  return editDistance(written.ending, known.ending) === 1 ? 1 : Infinity;
}
