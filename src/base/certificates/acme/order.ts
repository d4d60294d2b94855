// One certificate from an authority: order, HTTP-01 challenge for each name, request, download (RFC 8555 §7.4).
import type { KeyObject } from "node:crypto";
import { AcmeRefusal, waitOf, type Authority, type AcmeProblem } from "./authority.ts";
import { certificateRequest } from "./request.ts";

type AcmeOrder = {
  readonly status: string;
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate?: string;
  readonly error?: AcmeProblem;
};
type AcmeChallenge = {
  readonly type: string;
  readonly url: string;
  readonly token: string;
  readonly error?: AcmeProblem;
};
type Authorization = {
  readonly status: string;
  readonly identifier: { readonly value: string };
  readonly challenges: readonly AcmeChallenge[];
};

/** The authority did not find the proof of a name. */
export class Unproven extends Error {
  override readonly name = "Unproven";

  constructor(
    readonly host: string,
    readonly problem: AcmeProblem,
  ) {
    super(`${host}: ${problem.detail ?? problem.type ?? "no reason given"}`);
  }
}

/** Shows the answer to the challenge with that token until it is disposed of. */
export type ChallengePublisher = (token: string, answer: string) => Disposable;

const LOOK_EVERY_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
const MOST_LOOKS = 60;

type CertificateRequest = {
  readonly names: readonly string[];
  readonly key: KeyObject;
  readonly show: ChallengePublisher;
};

/**
 * Answers the certificate with its chain (PEM). @throws Refusal, Unproven, or Error if the authority cannot be reached
 */
export async function obtain(authority: Authority, { names, key, show }: CertificateRequest): Promise<string> {
  const identifiers = names.map((value) => ({ type: "dns", value }));
  const placed = await authority.ask<AcmeOrder>(authority.directory.newOrder, { identifiers });
  for (const url of placed.body.authorizations) await prove(authority, url, show);
  const csr = certificateRequest(names, key).toString("base64url");
  await authority.ask(placed.body.finalize, { csr });
  const url = placed.headers.get("location") ?? "";
  const order = await settled<AcmeOrder>(authority, url, ["pending", "ready", "processing"]);
  if (order.status !== "valid" || !order.certificate) throw new AcmeRefusal(order.error ?? { detail: order.status });
  return (await authority.ask(order.certificate)).text;
}

async function prove(authority: Authority, url: string, show: ChallengePublisher): Promise<void> {
  const { body } = await authority.ask<Authorization>(url);
  if (body.status === "valid") return;
  const challenge = challengeOf(body);
  if (!challenge) throw new Unproven(body.identifier.value, { detail: "the authority does not offer HTTP-01" });
  using _ = show(challenge.token, authority.keyAuthorization(challenge.token));
  await authority.ask(challenge.url, {});
  const result = await settled<Authorization>(authority, url, ["pending"]);
  if (result.status === "valid") return;
  throw new Unproven(result.identifier.value, challengeOf(result)?.error ?? { detail: result.status });
}

function challengeOf({ challenges }: Authorization): AcmeChallenge | undefined {
  return challenges.find(({ type }) => type === "http-01");
}

/** Polls at the authority's pace until the status is not among `unfinished`. */
async function settled<T extends { readonly status: string }>(
  authority: Authority,
  url: string,
  unfinished: readonly string[],
): Promise<T> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const { body, headers } = await authority.ask<T>(url);
    if (!unfinished.includes(body.status)) return body;
    await Bun.sleep(Math.min(waitOf(headers) ?? LOOK_EVERY_MS, LONGEST_PAUSE_MS));
  }
  throw new AcmeRefusal({ detail: "it has not come to an end" });
}
