// The form to suppress an address or a domain manually.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { beginOf } from "../base/days.ts";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { SegmentedField } from "../parts/fields/segmented-field.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { suppressionsTexts } from "../texts/areas.ts";
import { useDebounced } from "../base/use-debounced.ts";
import { reachQuery, useAdd, type Scope } from "./calls.ts";

const PAUSE_MS = 250;

/** Null: an address, or an incomplete domain. */
function domainIn(text: string): string | null {
  const given = text.trim().replace(/^@/, "").toLowerCase();
  return !given.includes("@") && /\.[^.]{2,}$/.test(given) ? given : null;
}

/** The number of people affected, shown before it is saved. */
function Reach({ domain }: { readonly domain: string | null }) {
  const t = useTexts(suppressionsTexts).reach;
  const { number } = useFormats();
  const { data } = useQuery(reachQuery(domain));
  if (domain === null) return null;
  const { contacts = 0, subscribed = 0, sample = [] } = data ?? {};
  const more = contacts - sample.length;
  return (
    <p className="row-text" role="status">
      {!data && t.counting}
      {data && contacts === 0 && t.nobody(domain)}
      {data && contacts > 0 && (
        <>
          <b>{t.hits(contacts, number(contacts), domain)}</b> {t.subscribed(number(subscribed))}{" "}
          <span className="dim">
            {sample.join(", ")}
            {more > 0 && ` ${t.more(number(more))}`}
          </span>
        </>
      )}
    </p>
  );
}

export function AddSuppression({ close }: { readonly close: () => void }) {
  const t = useTexts(suppressionsTexts);
  const [scope, setScope] = useState<Scope>("all");
  const [target, setTarget] = useState("");
  const adding = useAdd(({ address, domain }) => {
    showToast(t.added(address ?? domain ?? ""));
    close();
  });
  return (
    <FormDialog
      title={t.make}
      close={close}
      sending={adding}
      submit={t.add}
      onSubmit={({ address = "", until = "", note = "" }) => {
        const given = address.trim();
        const ends = beginOf(until);
        const target =
          given.includes("@") && !given.startsWith("@") ? { address: given } : { domain: given.replace(/^@/, "") };
        adding.mutate({
          ...(given === "" ? {} : target),
          scope,
          ...(ends === null ? {} : { until: ends }),
          ...(note.trim() === "" ? {} : { note: note.trim() }),
        });
      }}
    >
      <Field
        name="address"
        label={t.target}
        help={t.targetHelp}
        maxLength={320}
        autoComplete="off"
        autoFocus
        onChange={({ target: { value } }) => setTarget(value)}
      />
      <Reach domain={domainIn(useDebounced(target, PAUSE_MS))} />
      <SegmentedField<Scope>
        label={t.stops}
        choices={[
          { value: "all", content: t.scopes.all },
          { value: "marketing", content: t.scopes.marketing },
        ]}
        value={scope}
        onChange={setScope}
      />
      <Field name="until" label={t.until} note={t.optional} help={t.untilHelp} type="date" />
      <Field name="note" label={t.note} note={t.optional} maxLength={500} autoComplete="off" />
    </FormDialog>
  );
}
