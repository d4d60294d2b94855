// GET /app/-/recipient/{preview}: a page or mail for recipients, for a frame of the face, without scripts and forms.
import { Elysia } from "elysia";
import { iso } from "../../base/clock.ts";
import { AppError, invalidParameter } from "../../base/errors.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import { LANGUAGES, type Language } from "../../base/languages/language.ts";
import { admittedVisitor, type Access } from "../../tenant/access/auth.ts";
import { lookOf } from "../../content/pages/look.ts";
import { topicsShownTo } from "../../programs/preferences/topics.ts";
import { pagePolicy } from "../../content/pages/frame.ts";
import { findBrand } from "../../content/templates/brand/brand.ts";
import type { Reader } from "../../store/store.ts";
import { NO_CHOICES } from "../../audience/topics/choice.ts";
import { nameOutside } from "../../tenant/workspaces/name.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import { PREVIEWS, recipientPreview, type PreviewName } from "./recipient-preview.ts";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

export function recipientRoutes(access: Access, bases: LinkBases) {
  const show = async (request: Request, name: string): Promise<Response> => {
    const caller = await admittedVisitor(access, request);
    const preview = previewNamed(name);
    const language = languageNamed(new URL(request.url).searchParams.get("language"));
    const found = await access.store.read((reader) => shownBy(reader, bases, { seq: caller.workspace, language }));
    const { look } = found;
    const html = recipientPreview({ ...found, preview, now: iso(access.clock.nowMs()) });
    const policy = `sandbox; ${pagePolicy(look)}; form-action 'none'; frame-ancestors 'self'`;
    return new Response(html, { headers: { ...HEADERS, "content-security-policy": policy } });
  };
  return new Elysia().get("/app/-/recipient/:preview", ({ request, params }) => show(request, params.preview), {
    detail: { hide: true },
  });
}

type RecipientPageQuery = { readonly seq: number; readonly language: Language | null };

/** As the workspace shows it to a person without choices. `language`: null = the workspace's. */
async function shownBy(reader: Reader, bases: LinkBases, { seq, language: named }: RecipientPageQuery) {
  const own = await ownWorkspace(reader, seq);
  const { brand } = await findBrand(reader, seq);
  const name = await nameOutside(reader, own, { brandName: brand.fromName, host: bases.hostOf(seq) });
  const workspace = { ...own, name };
  const language = named ?? workspace.language;
  const nobody = { workspace: seq, topics: NO_CHOICES, workspaceLanguage: workspace.language };
  const topics = await topicsShownTo(reader, nobody, { language, also: null });
  return { workspace, language, look: lookOf(brand), topics };
}

/** @throws AppError ROUTE_NOT_FOUND */
function previewNamed(name: string): PreviewName {
  const preview = PREVIEWS.find((one) => one === name);
  if (!preview) throw new AppError("ROUTE_NOT_FOUND", `There is no preview ${name}.`);
  return preview;
}

/** Null = the workspace's. @throws AppError INVALID_PARAMETERS */
function languageNamed(name: string | null): Language | null {
  const language = LANGUAGES.find((one) => one === name);
  if (name !== null && !language) throw invalidParameter("language", `Languages are ${LANGUAGES.join(", ")}.`);
  return language ?? null;
}
