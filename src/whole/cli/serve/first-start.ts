// The first content of an empty installation: a workspace, its keys, a demo domain if mail is only captured, and a text
// that shows them.
import type { Config } from "../../../base/config.ts";
import { AppError } from "../../../base/errors.ts";
import type { Secrets } from "../../../base/secrets.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { makeDkimKey, type KeyPair } from "../../../tenant/domains/dkim-key.ts";
import { addDomain, takeAsVerified } from "../../../tenant/domains/domain.ts";
import { setDemo } from "../../../tenant/domains/queries.ts";
import { linkTo, welcomeToken } from "../../../operator/team/invitations/link.ts";
import { createKeySet, type MintedKeys } from "../../../tenant/access/key-set.ts";
import { allWorkspaces } from "../../../tenant/workspaces/queries.ts";
import { FIRST_NAME } from "../../../tenant/workspaces/name.ts";
import { createWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { keyLines } from "../print.ts";

export const TRY_OUT_DOMAIN = "example.test";

type TransportKind = Config["delivery"]["transport"];

/** `token`: that of the link for the first owner. */
type FirstStart = { readonly keys: MintedKeys; readonly token: string | null };

/** Creates all of it in one change; null = there is a workspace already. */
export async function prepareFirstStart(
  store: Store,
  secrets: Secrets,
  transport: TransportKind,
): Promise<FirstStart | null> {
  if ((await store.read(allWorkspaces)).length > 0) return null;
  const keyPair = transport === "capture" ? await makeDkimKey() : null;
  try {
    return await store.write((tx) => prepare(tx, secrets, keyPair));
  } catch (error) {
    // Another process has just made its first start on the same database.
    if (error instanceof AppError && error.code === "CONFLICT") return null;
    throw error;
  }
}

/** `keyPair`: that of the demo domain; null = none is made, since it has no owner who could send from it. */
async function prepare(tx: Tx, secrets: Secrets, keyPair: KeyPair | null): Promise<FirstStart> {
  const workspace = await createWorkspace(tx, secrets, FIRST_NAME);
  if (keyPair) {
    const domain = await addDomain(tx, secrets, workspace.seq, { domain: TRY_OUT_DOMAIN, keyPair });
    await takeAsVerified(tx, domain);
    await setDemo(tx, domain.seq, true);
  }
  return { keys: await createKeySet(tx, workspace.seq, { name: "first keys" }), token: await welcomeToken(tx) };
}

export type ServerPlace = {
  /** The address that the server listens on. */
  readonly url: string;
  /** The address that people open. */
  readonly baseUrl: string;
  readonly transport: TransportKind;
  /** Whether people have pages. */
  readonly face: boolean;
};

export function welcome({ keys, token }: FirstStart, { url, baseUrl, transport, face }: ServerPlace): string {
  const parts = [
    `Posthorn starts for the first time. It created the workspace "${FIRST_NAME}" with these keys, which are not shown again:`,
    keyLines(keys),
    ...(face && token !== null ? [firstOwner(baseUrl, token)] : []),
    // A test mail must not reach a stranger.
    transport === "capture" ? firstMail(keys, url) : firstDomain(),
    `Documentation: ${url}/docs/guide`,
  ];
  return `\n${parts.join("\n\n")}\n`;
}

function firstOwner(baseUrl: string, token: string): string {
  const link = linkTo(baseUrl, "WELCOME", token);
  return `Set up Posthorn in a browser, as its first owner. This link works once, for 24 hours:\n\n  ${link}\n\nOr open ${baseUrl}/app and enter the code ${token}.`;
}

function firstMail(keys: MintedKeys, url: string): string {
  const mail = {
    to: "you@example.com",
    from: `Posthorn <hello@${TRY_OUT_DOMAIN}>`,
    subject: "It works",
    body: "<p>Hello from Posthorn.</p>",
  };
  const headers = `-H 'Authorization: Bearer ${keys.secret}' -H 'Content-Type: application/json'`;
  return `Send a first email:\n\n  curl -X POST ${url}/v1/send ${headers} -d '${JSON.stringify(mail)}'`;
}

function firstDomain(): string {
  return `Add the domain you send from; this prints its DNS records:\n\n  posthorn domain add YOUR.DOMAIN --workspace ${FIRST_NAME}`;
}
