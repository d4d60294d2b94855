// Resend's calls about suppressions: addresses that get no email, with or without a contact. Lifting one does not
// subscribe its contact.
import { parseAddress } from "../../../base/addresses.ts";
import { iso } from "../../../base/clock.ts";
import { AppError, invalidField, invalidParameter } from "../../../base/errors.ts";
import { addressesBeside } from "../../../audience/suppressions/listing-queries.ts";
import {
  suppressionById,
  suppressionsAt,
  type SuppressionReason,
  type Suppression,
} from "../../../audience/suppressions/queries.ts";
import { inForceAmong } from "../../../audience/suppressions/standing.ts";
import { listIn, objectIn, textIn } from "../fields.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import type { CallDeps } from "./call.ts";
import { listOf, pieceBeside, pieceIn } from "./lists.ts";

const MOST = 100;

const REASONS: Readonly<Record<string, readonly SuppressionReason[]>> = {
  bounce: ["bounce", "soft-bounces"],
  complaint: ["complaint"],
  manual: ["manual", "import"],
};

function originOf(reason: SuppressionReason): string {
  return Object.keys(REASONS).find((origin) => REASONS[origin]?.includes(reason)) ?? "manual";
}

function resendSuppression({ id, target, reason, createdAt }: Suppression) {
  return { id, email: target, origin: originOf(reason), source_id: null, created_at: createdAt };
}

/** Null = each. @throws AppError INVALID_PARAMETERS */
function reasonsIn({ url }: Request): readonly (SuppressionReason | null)[] {
  const origin = new URL(url).searchParams.get("origin");
  if (!origin) return [null];
  if (Object.hasOwn(REASONS, origin)) return REASONS[origin] as readonly SuppressionReason[];
  throw invalidParameter("origin", `This must be one of ${Object.keys(REASONS).join(", ")}.`);
}

export function suppressionCalls({ ours, store, clock }: CallDeps): readonly CompatCall[] {
  /** By its id; for an address all, the strongest first. @throws AppError SUPPRESSION_NOT_FOUND */
  const requestedSuppressions = ({ caller: { workspace } }: CompatRequest, name = "") =>
    store.read(async (reader) => {
      const those = name.includes("@")
        ? await suppressionsAt(reader, workspace, [parseAddress(name) ?? ""])
        : [await suppressionById(reader, workspace, name)].filter((one) => one !== null);
      const [first, ...others] = inForceAmong(those, iso(clock.nowMs()));
      if (first?.kind === "address") return [first, ...others] as const;
      throw new AppError("SUPPRESSION_NOT_FOUND", "The address is not suppressed.");
    });
  const added = async (asked: CompatRequest, ask: "ask" | "also", email: string) => {
    const { id } = await ours[ask]("addSuppression", asked, { body: { address: email } });
    return { object: "suppression", id };
  };
  const lifted = async (asked: CompatRequest, name = "") => {
    const those = await requestedSuppressions(asked, name);
    for (const { id } of those) await ours.also("liftSuppression", asked, { params: { id } });
    const [{ id }] = those;
    return { object: "suppression", id, deleted: true };
  };
  const listed = async ({ caller: { workspace }, request }: CompatRequest) => {
    const reasons = reasonsIn(request);
    const seqOf = (id: string) =>
      store.read(async (reader) => {
        const one = await suppressionById(reader, workspace, id);
        if (one) return one.seq;
        throw invalidParameter("after", "The list has no such entry.");
      });
    const { items, hasMore } = await pieceBeside(pieceIn(request), seqOf, async (than, isNewer, limit) => {
      const beside = { workspace, now: iso(clock.nowMs()), than, isNewer, limit };
      const lists = await store.read(
        (reader) => Promise.all(reasons.map((reason) => addressesBeside(reader, { ...beside, reason }))),
        { longFor: workspace },
      );
      const all = lists.flat().toSorted((one, other) => other.seq - one.seq);
      return isNewer ? all.slice(-limit) : all.slice(0, limit);
    });
    return listOf(items.map(resendSuppression), hasMore);
  };
  return [
    { method: "GET", path: "/suppressions", own: "listSuppressions", work: listed },
    {
      method: "GET",
      path: "/suppressions/:id",
      own: "getSuppression",
      work: async (asked) => ({
        object: "suppression",
        ...resendSuppression((await requestedSuppressions(asked, asked.params["id"]))[0]),
      }),
    },
    {
      method: "POST",
      path: "/suppressions",
      own: "addSuppression",
      work: (asked) => added(asked, "ask", textIn("email", objectIn("request", asked.body)["email"])),
    },
    {
      method: "DELETE",
      path: "/suppressions/:id",
      own: "liftSuppression",
      work: (asked) => lifted(asked, asked.params["id"]),
    },
    {
      method: "POST",
      path: "/suppressions/batch/add",
      own: "addSuppression",
      work: async (asked) => {
        const emails = namesIn(listIn("emails", objectIn("request", asked.body)["emails"]));
        // All of them are checked before one is added.
        emails.forEach((email, at) => {
          if (parseAddress(email) === null)
            throw invalidField(`emails.${at}`, "This is not an email address.", "invalid_email");
        });
        const data = [];
        for (const email of emails) data.push(await added(asked, "also", email));
        return { data };
      },
    },
    {
      method: "POST",
      path: "/suppressions/batch/remove",
      own: "liftSuppression",
      work: async (asked) => {
        const { emails, ids } = objectIn("request", asked.body);
        const names = namesIn([...listIn("emails", emails), ...listIn("ids", ids)]);
        // All of them are checked before one is lifted.
        for (const name of names) await requestedSuppressions(asked, name);
        const data = [];
        for (const name of names) data.push(await lifted(asked, name));
        return { data };
      },
    },
  ];
}

/** @throws AppError VALIDATION_ERROR */
function namesIn(given: readonly unknown[]): string[] {
  const names = [...new Set(given.map((one, at) => textIn(`emails.${at}`, one)))];
  if (names.length > 0 && names.length <= MOST) return names;
  throw invalidField("emails", `A batch has 1 to ${MOST} addresses or ids.`, "invalid");
}
