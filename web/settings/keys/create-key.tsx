// Creates a key set.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Field, Form, FormActions } from "../../parts/fields/form.tsx";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { keysTexts } from "../../texts/areas.ts";
import { domainsQuery } from "../domains/calls.ts";
import { parseNames, joinNames } from "../../base/name-list.ts";
import { workspaceQuery, type Workspace } from "../../calls/workspace.ts";
import { changeSettings } from "../../workspace/calls.ts";
import { LimitFields, limitsIn, NameField } from "./limit-fields.tsx";
import { NewKeys } from "./new-keys.tsx";

/** `domains` empty: all domains of the workspace, and its management. `events`: the new setting for public keys. */
type NewKey = Partial<ReturnType<typeof limitsIn>> & {
  readonly permissions?: Permissions;
  readonly domains: readonly string[];
  readonly events?: readonly string[] | null;
  /** The workspace as the form was opened. */
  readonly workspace?: Workspace | undefined;
};

const PERMISSIONS = ["full", "send", "read", "content"] as const;
type Permissions = (typeof PERMISSIONS)[number];

async function createKeys({ domains, events, workspace, ...limits }: NewKey) {
  // Before the keys: these are shown only once, so no error may follow.
  if (events !== undefined && workspace !== undefined) {
    const { publicKeys } = workspace;
    await changeSettings(workspace, { publicKeys: { ...publicKeys, events: events && [...events] } });
  }
  const scope = domains.length > 0 ? { domains: [...domains] } : {};
  return call("POST /keys", { body: { ...limits, ...scope } });
}

export function useCreateKeys() {
  return useMutation({
    mutationFn: createKeys,
    onSuccess: (_, { events }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["keys"] }),
        ...(events === undefined ? [] : [queries.invalidateQueries({ queryKey: workspaceQuery.queryKey })]),
      ]),
    // Removes the secrets from the cache once the page has unmounted.
    gcTime: 0,
    meta: { inForm: true },
  });
}

export function CreateKeyDialog({ close }: { readonly close: () => void }) {
  const t = useTexts(keysTexts);
  const making = useCreateKeys();
  const keys = making.data;
  return (
    <Dialog
      title={keys ? t.fresh.title : t.make}
      isOpen
      onClose={close}
      wide={keys !== undefined}
      stays={keys !== undefined}
    >
      {keys ? <NewKeys keys={keys} close={close} /> : <CreateKeyForm making={making} close={close} />}
    </Dialog>
  );
}

type CreateKeyFormProps = { readonly making: ReturnType<typeof useCreateKeys>; readonly close: () => void };

function CreateKeyForm({ making, close }: CreateKeyFormProps) {
  const t = useTexts(keysTexts);
  const { data: domains = [] } = useQuery(domainsQuery);
  const { data: now } = useQuery(workspaceQuery);
  const [opened, open] = useState(now);
  if (opened === undefined && now !== undefined) open(now);
  const workspace = opened ?? now;
  const disabledReason = useDisabledReason("workspace");
  const [permissions, setPermissions] = useState<Permissions>("full");
  const saved = joinNames(workspace?.publicKeys.events ?? null);
  return (
    <Form
      fault={making.error}
      onSubmit={({ events = saved, ...values }, form) =>
        making.mutate({
          ...limitsIn(values),
          permissions,
          domains: new FormData(form).getAll("domains").map(String),
          ...(joinNames(parseNames(events)) === saved ? {} : { events: parseNames(events), workspace }),
        })
      }
    >
      <NameField />
      <SegmentedField
        label={t.may}
        value={permissions}
        choices={PERMISSIONS.map((one) => ({ value: one, content: t.permissions[one] }))}
        onChange={setPermissions}
        help={t.mayHelp[permissions]}
      />
      <fieldset className="stack tight">
        <legend className="label">{t.scope}</legend>
        {domains.map(({ id, domain }) => (
          <Checkbox key={id} name="domains" value={domain}>
            {domain}
          </Checkbox>
        ))}
        <span className="help">{t.scopeHelp}</span>
      </fieldset>
      <LimitFields fault={making.error} />
      {workspace && (
        <Field
          name="events"
          label={t.events}
          help={t.eventsHelp}
          defaultValue={saved}
          autoComplete="off"
          readOnly={disabledReason !== undefined}
        />
      )}
      <FormActions close={close} submit={t.make} busy={making.isPending} />
    </Form>
  );
}
