// Delivery status notifications (RFC 3464, RFC 6533): what became of each recipient.
import { oneLine } from "../../emails/refusal.ts";
import { blameFor } from "./blame.ts";
import type { RecipientReport } from "./recipient-report.ts";
import { fieldGroups, withoutType, type Fields } from "./report-fields.ts";

const ACTIONS = ["failed", "delayed", "delivered", "relayed", "expanded"] as const;
const MAX_RECIPIENTS = 50;
const MAX_SAID_CHARS = 2_000;

/** One report for each recipient that has an action; the first group, about the message as a whole, has none. */
export function readDeliveryStatus(text: string): RecipientReport[] {
  const groups = fieldGroups(text).filter((fields) => fields.has("action"));
  return groups.slice(0, MAX_RECIPIENTS).flatMap((fields) => reportOf(fields) ?? []);
}

function reportOf(fields: Fields): RecipientReport | null {
  const word = (fields.get("action") ?? "").toLowerCase();
  const action = ACTIONS.find((one) => word.startsWith(one));
  if (!action) return null;
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? null;
  const said = (fields.get("diagnostic-code") ?? "").slice(0, MAX_SAID_CHARS);
  const named = fields.get("original-recipient") ?? fields.get("final-recipient");
  const diagnostic = oneLine(withoutType(said)) || status || action;
  return {
    recipient: named === undefined ? null : withoutType(named).replace(/^<|>$/g, ""),
    action,
    status,
    diagnostic,
    blame: blameFor({ status, diagnostic: said }),
  };
}
