// Where mails come from: what they say, their workspace, and the domain that they are signed for.
import { domainOf } from "../../addresses.ts";
import { AppError, asRefusal } from "../../errors.ts";
import type { Language } from "../../languages/language.ts";
import type { Tx } from "../../store/store.ts";
import { domainToSendFrom } from "../../domains/domain.ts";
import type { Workspace } from "../../workspaces/queries.ts";
import { ownWorkspace } from "../../workspaces/workspace.ts";
import { keptContent, type KeptContent } from "../content/queries.ts";
import type { ByRequest, MailRequest } from "./request.ts";

/** What each mail of a request has in common: what it says, from where, and to whom it may go. */
export type Place = {
  readonly says: Pick<KeptContent, "kind" | "subject" | "preheader" | "html" | "text">;
  /** Null = still to be kept. */
  readonly content: number | null;
  readonly domain: number;
  readonly workspace: Workspace;
  /** Of its footer; null = it has none. */
  readonly language: Language | null;
};

/** Each workspace and each domain is looked up once. */
export async function placesOf(tx: Tx, requests: readonly MailRequest[]): Promise<ByRequest<Place>> {
  const workspaces = new Map<number, Workspace>();
  const domains = new Map<string, number | AppError>();
  const places = new Map<MailRequest, Place | AppError>();
  for (const request of requests) {
    const { workspace: seq } = request.sender;
    const says = await saidBy(tx, request.content);
    const name = domainOf(says.fromAddress);
    const key = `${seq} ${name} ${request.sender.domains?.join() ?? "*"}`;
    const [workspace, domain] = await Promise.all([
      workspaces.get(seq) ?? ownWorkspace(tx, seq),
      domains.get(key) ?? domainToSendFrom(tx, request.sender, name).catch(asRefusal),
    ]);
    workspaces.set(seq, workspace);
    domains.set(key, domain);
    places.set(request, placeOf(request, { ...says, workspace, domain }));
  }
  return places;
}

type Found = KeptContent & { readonly content: number | null; readonly workspace: Workspace };

function placeOf(
  request: MailRequest,
  { workspace, domain, content, kind, ...says }: Omit<Found, "domain"> & { readonly domain: number | AppError },
): Place | AppError {
  const { marketingStopped } = workspace;
  const isStopped = kind === "MARKETING" && !request.test && request.campaign === undefined;
  if (isStopped && marketingStopped !== null) return new AppError("MARKETING_STOPPED", marketingStopped);
  if (domain instanceof AppError) return domain;
  return {
    says: { kind, ...says },
    content,
    domain,
    workspace,
    language: kind === "MARKETING" ? workspace.language : null,
  };
}

async function saidBy(tx: Tx, content: MailRequest["content"]): Promise<Omit<Found, "workspace">> {
  if ("kept" in content) return { ...((await keptContent(tx, content.kept)) as KeptContent), content: content.kept };
  const { kind, from, subject, preheader = null, html, text = null } = content;
  return { kind, fromAddress: from.address, domain: null, subject, preheader, html, text, content: null };
}
