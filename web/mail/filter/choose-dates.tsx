// The dates of the filter: from a day, until a day, or both.
import { useTexts } from "../../base/language.ts";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { Field } from "../../parts/fields/form.tsx";
import { mailTexts } from "../../texts/areas.ts";
import { dayIn, shortEnd, shortMoment } from "../../base/days.ts";
import type { MailFilters } from "./filters.ts";

type ChooseDatesProps = {
  readonly filters: MailFilters;
  readonly narrow: (filters: MailFilters) => void;
  readonly close: () => void;
};

const NOTHING_SENT = { error: null, isPending: false };

export function ChooseDates({ filters: { since, until, ...rest }, narrow, close }: ChooseDatesProps) {
  const { dates: t } = useTexts(mailTexts);
  const choose = (values: Readonly<Record<string, string>>) => {
    const [first = "", last = ""] = inOrder(values["since"] ?? "", values["until"] ?? "");
    narrow({ ...rest, ...(first === "" ? {} : { since: first }), ...(last === "" ? {} : { until: last }) });
    close();
  };
  return (
    <FormDialog title={t.title} onSubmit={choose} unsaved={false} sending={NOTHING_SENT} submit={t.show} close={close}>
      <Field name="since" type="date" label={t.from} defaultValue={dayIn(since && shortMoment(since))} autoFocus />
      <Field name="until" type="date" label={t.until} help={t.help} defaultValue={dayIn(until && shortEnd(until))} />
    </FormDialog>
  );
}

/** Swaps two days that are in the wrong order. */
function inOrder(first: string, last: string): readonly string[] {
  return first !== "" && last !== "" && last < first ? [last, first] : [first, last];
}
