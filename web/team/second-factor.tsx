// Sets the time from which all users of this server need a second factor; for owners.
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { beginOf, shortMoment } from "../base/days.ts";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { Section, Sections } from "../parts/section.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { queries } from "../calls/queries.ts";
import { query } from "../calls/query.ts";
import { meQuery } from "../calls/session.ts";
import { teamTexts } from "../texts/areas.ts";

const rule = query("GET /installation/second-factor");

export function SecondFactor() {
  const { rule: t } = useTexts(teamTexts);
  const { data, ...asked } = useQuery(rule);
  const setting = useRule(() => showToast(t.saved));
  return (
    <Sections>
      <Section title={t.title} text={t.text}>
        {!data ? (
          <Skeleton of={asked} rows={1} columns={1} />
        ) : (
          <Form fault={setting.error} onSubmit={({ requiredFrom = "" }) => setting.mutate(beginOf(requiredFrom))}>
            <Field
              key={data.requiredFrom}
              name="requiredFrom"
              type="date"
              label={t.from}
              help={t.help}
              defaultValue={data.requiredFrom === null ? "" : shortMoment(data.requiredFrom).slice(0, 10)}
            />
            <div>
              <Button type="submit" busy={setting.isPending}>
                {t.save}
              </Button>
            </div>
          </Form>
        )}
      </Section>
    </Sections>
  );
}

function useRule(done: () => void) {
  return useMutation({
    mutationFn: (requiredFrom: string | null) => call("PUT /installation/second-factor", { body: { requiredFrom } }),
    onSuccess: (answer) => {
      queries.setQueryData(rule.queryKey, answer);
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
      done();
    },
    meta: { inForm: true },
  });
}
