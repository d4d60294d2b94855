// The brand of a workspace: the colours, logo, sender and footer with which an editor begins a mail, and the look of
// recipient pages. A mail has its own copy in its body; a change of the brand changes no mail.
import { iso } from "../../../base/clock.ts";
import { invalidField, readAll } from "../../../base/errors.ts";
import { keptSenderName, optionalMailbox, optionalReplyTo } from "../../../http/body/address-field.ts";
import { noteImages } from "../../images/uses.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { lockWorkspace } from "../../../tenant/workspaces/queries.ts";
import { refuseSavedSince, timeOfSaving } from "../../../tenant/access/saving.ts";
import { readSource } from "../written.ts";
import { brandOf, setBrand, type KeptBrand } from "./queries.ts";
import { MOST_COLORS, type Brand, type BrandInput } from "./shape.ts";

/** The value of each field that is not set. */
export const NO_BRAND: Brand = {
  colors: {},
  font: null,
  logoUrl: null,
  logoAlt: null,
  from: null,
  fromName: null,
  replyTo: null,
  footer: null,
  pageFooter: null,
};
/** The brand before it is first saved. */
const UNSET: KeptBrand = { brand: NO_BRAND, updatedAt: iso(0), updatedBy: null };

export async function findBrand(reader: Reader, workspace: number): Promise<KeptBrand> {
  return (await brandOf(reader, workspace)) ?? UNSET;
}

/**
 * Replaces the whole brand: fields missing in the input are cleared.
 * @throws AppError VALIDATION_ERROR, CONFLICT if it was saved since `ifUpdatedAt`
 */
export async function replaceBrand(
  tx: Tx,
  { workspace, by }: Pick<Caller, "workspace" | "by">,
  input: BrandInput,
): Promise<KeptBrand> {
  await lockWorkspace(tx, workspace);
  const before = await findBrand(tx, workspace);
  refuseSavedSince(tx, before, input);
  const kept = { brand: brandIn(input), updatedAt: timeOfSaving(tx, before), updatedBy: by };
  await setBrand(tx, workspace, kept);
  await noteImages(tx, { workspace, kind: "brand", seq: workspace }, [kept.brand.logoUrl, kept.brand.footer]);
  return kept;
}

function brandIn(input: BrandInput): Brand {
  const read = readAll({
    colors: () => fewColors(input.colors ?? {}),
    from: () => optionalMailbox("from", input.from) ?? null,
    replyTo: () => optionalReplyTo("replyTo", input.replyTo) ?? null,
    footer: () => readSource("footer", input.footer),
  });
  return {
    colors: read.colors,
    font: input.font || null,
    logoUrl: input.logoUrl || null,
    logoAlt: input.logoAlt ?? null,
    from: read.from?.address ?? null,
    fromName: keptSenderName(input.fromName, read.from, null),
    replyTo: read.replyTo,
    footer: read.footer || null,
    pageFooter: input.pageFooter?.trim() || null,
  };
}

function fewColors(colors: Brand["colors"]): Brand["colors"] {
  if (Object.keys(colors).length > MOST_COLORS)
    throw invalidField("colors", `A brand has at most ${MOST_COLORS} colours.`, "too_big");
  const wrong = Object.entries(colors).find(
    ([name, color]) => !/^[A-Za-z][\w-]{0,39}$/.test(name) || !/^#[0-9a-f]{6}$/i.test(color),
  );
  if (wrong) throw invalidField("colors", "A colour has a name in ASCII letters and a value such as #9a5b12.");
  return colors;
}
