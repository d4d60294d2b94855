// A mail whose record remains after its content was deleted at the end of its retention period.
import { AppError } from "../../../base/errors.ts";
import type { Reader } from "../../../store/store.ts";
import { bodyGoneAt } from "./reuse-queries.ts";

export function contentGone(at: string): AppError {
  return new AppError("CONTENT_GONE", `What this email said was deleted on ${at.slice(0, 10)}; its record stays.`, {
    suggestion:
      "GET /workspace says for how many days texts are kept: retention.bodyDays, for email from outside inboundDays.",
  });
}

/** @throws AppError CONTENT_GONE */
export async function refuseGone(reader: Reader, content: number): Promise<void> {
  const at = await bodyGoneAt(reader, content);
  if (at !== null) throw contentGone(at);
}
