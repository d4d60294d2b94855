// Actions on an event name: a workflow that it starts, or a segment of the people who have it.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { queries } from "../calls/queries.ts";
import { useDisabledReason } from "../calls/session.ts";
import { eventsTexts } from "../texts/areas.ts";

const MAX_NAME_CHARS = 100;

export function EventActions({ name }: { readonly name: string }) {
  const t = useTexts(eventsTexts);
  const navigate = useNavigate();
  const offWorkflow = useDisabledReason("workflows.write");
  const offSegment = useDisabledReason("campaigns.write");
  const creating = useMutation({
    mutationFn: () =>
      call("POST /workflows", {
        body: {
          name: t.afterName(name).slice(0, MAX_NAME_CHARS),
          eventName: name,
          steps: [],
          transitions: [],
          // Such a workflow makes a report, a ticket or a receipt for each email, so a contact may enter it again.
          reentry: name.startsWith("email.") ? "always" : "never",
        },
      }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ["workflows"] });
      void navigate({ to: "/workflows/$id", params: { id } });
    },
  });
  return (
    <>
      <Button
        small
        icon="workflows"
        disabledReason={offWorkflow}
        busy={creating.isPending}
        onClick={() => creating.mutate()}
      >
        {t.startWorkflow}
      </Button>
      <Button
        small
        icon="segments"
        disabledReason={offSegment}
        onClick={() => void navigate({ to: "/segments/new", search: { event: name } })}
      >
        {t.makeSegment}
      </Button>
    </>
  );
}
