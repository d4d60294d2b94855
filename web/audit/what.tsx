// The parts of an entry of the audit log: the change, the record by its name at that time, the fields, and the time.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { components } from "../api.gen.ts";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Time } from "../parts/time.tsx";
import { auditTexts } from "../texts/areas.ts";
import "./audit.css";

export type AuditEntry = components["schemas"]["AuditEntry"];

/** New entries shift the pages, so an entry may be on two of them. */
export function entriesOf(pages: readonly { readonly data: readonly AuditEntry[] }[]): readonly AuditEntry[] {
  const entries = pages.flatMap((page) => page.data);
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

/** The change and its fields; `children`: the record. */
export function Did({
  entry: { action, fields, reason },
  children,
}: {
  readonly entry: AuditEntry;
  readonly children?: ReactNode;
}) {
  const t = useTexts(auditTexts);
  const named: Readonly<Record<string, string>> = t.fields;
  return (
    <span className="what">
      <span>
        {(t.actions as Readonly<Record<string, string>>)[action] ?? asWords(action)} {children}
      </span>
      {reason !== null && <span className="dim small">{reason}</span>}
      {fields.length > 0 && (
        <span className="dim small">
          {[...new Set(fields.map((field) => named[field] ?? asWords(field)))].join(", ")}
        </span>
      )}
    </span>
  );
}

/** Changes of a record within minutes are one entry: then their number and the first and last time are shown. */
export function When({ entry: { at, lastAt, times } }: { readonly entry: AuditEntry }) {
  const t = useTexts(auditTexts);
  const { clock, number } = useFormats();
  const isLong = clock(new Date(at)) !== clock(new Date(lastAt));
  return (
    <span className="dim small end when">
      <Time at={lastAt} />
      {times > 1 && (
        <span>
          {t.times(number(times))}
          {isLong && `, ${clock(new Date(at))}–${clock(new Date(lastAt))}`}
        </span>
      )}
    </span>
  );
}

const PAGES = {
  campaigns: "/campaigns/$id",
  workflows: "/workflows/$id",
  templates: "/templates/$id",
  segments: "/segments/$id",
  contacts: "/people/$id",
  domains: "/settings/domains/{-$id}",
  webhooks: "/settings/webhooks/$id",
} as const;

/** The record's name at the time of the change; a link while the record exists. */
export function Target({ entry: { target, targetKind, targetName, targetExists } }: { readonly entry: AuditEntry }) {
  const page = (PAGES as Readonly<Record<string, (typeof PAGES)[keyof typeof PAGES]>>)[targetKind ?? ""];
  if (target === null || !targetName) return null;
  if (!targetExists || page === undefined) return <b>{targetName}</b>;
  return (
    <Link to={page} params={{ id: target }}>
      {targetName}
    </Link>
  );
}

/** `rotateDomainKey` as "rotate domain key". */
function asWords(action: string): string {
  return action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
