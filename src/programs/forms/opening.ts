// A form as visitors see it: with its workspace's name, language and look.
import { lookOf, type PageLook } from "../../content/pages/look.ts";
import { pagePolicy } from "../../content/pages/frame.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Language } from "../../base/languages/language.ts";
import type { Reader, Store } from "../../store/store.ts";
import { topicsOf, type Topic } from "../../audience/topics/queries.ts";
import { findBrand } from "../../content/templates/brand/brand.ts";
import { nameOutside } from "../../tenant/workspaces/name.ts";
import { workspaceBySeq } from "../../tenant/workspaces/queries.ts";
import { formWithKey, type Form, type FormSettings } from "./queries.ts";

export type OpenForm = Form & {
  readonly workspaceName: string;
  /** The language for texts that another lacks. */
  readonly otherwise: Language;
  readonly look: PageLook;
  readonly topics: readonly Topic[];
  /** Every sign-up needs a confirmation. */
  readonly asksEverybody: boolean;
};

/** Null = none, it is off, or its workspace is. `bases`: the addresses of its page. */
export function openForm(store: Store, bases: LinkBases, key: string): Promise<OpenForm | null> {
  return store.read(async (reader) => {
    const form = /^[a-z0-9-]{3,64}$/.test(key) ? await formWithKey(reader, key) : null;
    if (!form?.enabled) return null;
    const workspace = await workspaceBySeq(reader, form.workspace);
    if (!workspace || workspace.disabledAt !== null) return null;
    const { brand } = await findBrand(reader, form.workspace);
    const host = bases.hostOf(form.workspace);
    const topics = await topicsFor(reader, form.workspace, form.settings);
    const { language: otherwise, doubleOptIn } = workspace;
    return {
      ...form,
      workspaceName: await nameOutside(reader, workspace, { brandName: brand.fromName, host }),
      otherwise,
      topics,
      look: lookOf(brand),
      asksEverybody: form.doubleOptIn || doubleOptIn,
    };
  });
}

/** The topics on offer, as long as they exist. */
export async function topicsFor(reader: Reader, workspace: number, { topics }: FormSettings): Promise<Topic[]> {
  if (topics.length === 0) return [];
  return (await topicsOf(reader, workspace)).filter(({ key }) => topics.includes(key));
}

/** The sites that may frame the page, and the targets of its form. */
export function insertedPolicy({ look, settings }: OpenForm): string {
  const { sites, redirectUrl } = settings;
  const next = redirectUrl === null ? "" : ` ${new URL(redirectUrl).origin}`;
  const around = sites.length === 0 ? "'none'" : sites.join(" ");
  return `${pagePolicy(look)}; form-action 'self'${next}; frame-ancestors ${around}`;
}

/** The site whose page shows the form, if it may; empty = the hosted page, a program, or unknown. */
export function siteOf({ settings }: Form, { headers }: Request, header: "origin" | "referer"): string {
  const origin = URL.parse(headers.get(header) ?? "")?.origin ?? "";
  return settings.sites.includes(origin) ? origin : "";
}
