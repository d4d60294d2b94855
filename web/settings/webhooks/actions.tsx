// Actions on a webhook: send an example, replay a period, edit, enable or disable, remove.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { FormDialog, Question } from "../../parts/fields/form-dialog.tsx";
import { ResourceActions } from "../../parts/overlays/resource-actions.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { frameTexts, webhooksTexts } from "../../texts/areas.ts";
import { again, type Hook } from "./calls.ts";
import { HookForm } from "./form.tsx";
import { typesIn, type EventType } from "./types.ts";

type DialogProps = { readonly hook: Hook; readonly close: () => void };

export function HookActions({ hook }: { readonly hook: Hook }) {
  const t = useTexts(webhooksTexts).hooks;
  const { more } = useTexts(frameTexts);
  const disabledReason = useDisabledReason("keys");
  const [tests, setTests] = useState(false);
  const { id, enabled } = hook;
  const switching = useMutation({
    mutationFn: () => call("PATCH /webhooks/{id}", { id, body: { enabled: !enabled } }),
    onSuccess: again,
  });
  return (
    <div className="actions">
      <Button small icon="send" disabledReason={disabledReason} onClick={() => setTests(true)}>
        {t.test.action}
      </Button>
      <ResourceActions
        label={more}
        kind="webhook"
        disabledReason={disabledReason}
        actions={[
          {
            id: "replay",
            name: t.replay.action,
            icon: "again",
            disabledReason: enabled ? undefined : t.replay.off,
            dialog: (close) => <Replay hook={hook} close={close} />,
          },
          { id: "edit", name: t.editIt, icon: "pencil", dialog: (close) => <HookForm hook={hook} close={close} /> },
          {
            id: "switch",
            name: enabled ? t.turnOff : t.turnOn,
            icon: enabled ? "pause" : "play",
            run: () => switching.mutate(),
          },
          "line",
          {
            id: "remove",
            name: t.remove.action,
            icon: "trash",
            risk: true,
            dialog: (close) => <Remove hook={hook} close={close} />,
          },
        ]}
      />
      {tests && <Test hook={hook} close={() => setTests(false)} />}
    </div>
  );
}

function Test({ hook: { id, format }, close }: DialogProps) {
  const t = useTexts(webhooksTexts).hooks.test;
  const sending = useMutation({
    mutationFn: (type: EventType) => call("POST /webhooks/{id}/test", { id, body: { type } }),
    onSuccess: () => {
      close();
      showToast(t.done);
      return again();
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.title}
      close={close}
      sending={sending}
      submit={t.send}
      unsaved={false}
      onSubmit={({ type }) => sending.mutate(type as EventType)}
    >
      <Select
        name="type"
        label={t.type}
        first="email.bounce"
        options={typesIn(format).map((type) => ({ id: type, name: type }))}
        help={t.help}
      />
    </FormDialog>
  );
}

const HOURS = ["1", "24", "168", "720"] as const;
const HOUR_MS = 3_600_000;

function Replay({ hook: { id }, close }: DialogProps) {
  const t = useTexts(webhooksTexts).hooks.replay;
  const [hours, setHours] = useState<(typeof HOURS)[number]>("24");
  const replaying = useMutation({
    mutationFn: async (all: boolean) => {
      const body = { since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(), all };
      let [count, cursor]: [number, string | null] = [0, null];
      do {
        const path = { id };
        const next = cursor === null ? body : { ...body, cursor };
        const answer: { readonly replayed: number; readonly cursor: string | null } = await call(
          "POST /webhooks/{id}/replay",
          { ...path, body: next },
        );
        count += answer.replayed;
        cursor = answer.cursor;
      } while (cursor !== null);
      return count;
    },
    onSuccess: (count) => {
      close();
      showToast(t.done(count));
      return again();
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.title}
      close={close}
      sending={replaying}
      submit={t.send}
      unsaved={false}
      onSubmit={({ all }) => replaying.mutate(all === "on")}
    >
      <SegmentedField
        label={t.period}
        value={hours}
        choices={HOURS.map((value) => ({ value, content: t.periods[value] }))}
        onChange={setHours}
        help={t.help}
      />
      <Checkbox name="all">{t.delivered}</Checkbox>
    </FormDialog>
  );
}

function Remove({ hook: { id, description, url }, close }: DialogProps) {
  const t = useTexts(webhooksTexts).hooks.remove;
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () => call("DELETE /webhooks/{id}", { id }),
    onSuccess: async () => {
      await navigate({ to: "/settings/webhooks", search: { outcome: "all" } });
      await again();
    },
    onSettled: close,
  });
  return (
    <Question
      title={t.title(description ?? new URL(url).host)}
      text={t.text}
      close={close}
      action={t.confirm}
      risk
      busy={removal.isPending}
      run={() => removal.mutate()}
    />
  );
}
