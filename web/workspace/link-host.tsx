// The workspace's own host for links: its address, the records to publish, and what is still missing.
import { useState } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../calls/api.ts";
import type { components } from "../api.gen.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog, Question } from "../parts/fields/form-dialog.tsx";
import { Panel, Skeleton } from "../parts/layout.tsx";
import { Label } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";
import type { StatusIconName, Tone } from "../parts/icons/icon.tsx";
import { queries } from "../calls/queries.ts";
import { savedOver } from "../saving/saved-over.ts";
import { useDisabledReason } from "../calls/session.ts";
import { linkHostTexts } from "../texts/areas.ts";
import "./link-host.css";

type LinkHosts = components["schemas"]["LinkHosts"];
type LinkHost = components["schemas"]["LinkHost"];

const KEY = ["workspace", "link-host"];
const LOOKS = {
  WAITING: { icon: "waiting", tone: "warn" },
  CERTIFICATE: { icon: "waiting", tone: "note" },
  USED: { icon: "delivered", tone: "ok" },
  FAILING: { icon: "failed", tone: "bad" },
  FORMER: { icon: "off", tone: undefined },
} as const satisfies Record<LinkHost["state"], { icon: StatusIconName; tone: Tone | undefined }>;

function show(hosts: LinkHosts): void {
  queries.setQueryData(KEY, hosts);
}

export function LinkHostPanel() {
  const t = useTexts(linkHostTexts);
  const disabledReason = useDisabledReason("workspace");
  const [asked, ask] = useState<"set" | "remove" | null>(null);
  const loading = useQuery({ queryKey: KEY, queryFn: () => call("GET /workspace/link-host") });
  const checking = useMutation({
    mutationFn: () => call("POST /workspace/link-host/verify"),
    onSuccess: show,
  });
  if (!loading.data)
    return (
      <Panel title={t.title}>
        <Skeleton of={loading} rows={2} columns={1} />
      </Panel>
    );
  const { host, former, base } = loading.data;
  return (
    <Panel
      title={t.title}
      actions={
        <span className="push inline">
          {host && (
            <Button
              small
              icon="again"
              busy={checking.isPending}
              disabledReason={disabledReason}
              onClick={() => checking.mutate()}
            >
              {t.check}
            </Button>
          )}
          <Button small disabledReason={disabledReason} onClick={() => ask("set")}>
            {host ? t.change : t.set}
          </Button>
          {host && (
            <Button
              small
              kind="quiet"
              icon="trash"
              label={t.remove.action}
              disabledReason={disabledReason}
              onClick={() => ask("remove")}
            />
          )}
        </span>
      }
    >
      <div className="pad stack">
        <p className="dim row-text">
          {t.text(new URL(base).host)} {host?.state !== "USED" && t.why}
        </p>
        {host && <Host host={host} />}
        {former.length > 0 && <Former hosts={former} />}
      </div>
      {asked === "set" && <SetHost now={loading.data} close={() => ask(null)} />}
      {asked === "remove" && host && <RemoveHost host={host.host} close={() => ask(null)} />}
    </Panel>
  );
}

function Host({ host }: { readonly host: LinkHost }) {
  const t = useTexts(linkHostTexts);
  const isDone = host.state === "USED";
  return (
    <>
      <p className="inline link-host">
        <b className="cut">{host.host}</b>
        <Label {...LOOKS[host.state]}>{t.states[host.state]}</Label>
        {host.checkedAt && (
          <span className="dim small">
            {t.checked} <Time at={host.checkedAt} />
          </span>
        )}
      </p>
      {host.problem !== null && (
        <p className="disabled-reason" role="status">
          {t.problems[host.problemCode ?? ""]?.(host.problemValues) ?? host.problem}
        </p>
      )}
      {!isDone && (
        <ul className="stack tight records-to-publish" aria-label={t.records}>
          {host.records.map((record) => (
            <li key={record.type}>
              <span className="dim small">{record.required ? t.record(record.type) : t.orProof(record.type)}</span>
              <Value text={record.name} what={t.name} />
              <Value text={record.value} what={t.value} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Value({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="inline">
      <code className="cut">{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

function Former({ hosts }: { readonly hosts: readonly LinkHost[] }) {
  const t = useTexts(linkHostTexts);
  return (
    <p className="dim small">
      {t.former} {hosts.map(({ host }) => host).join(", ")}
    </p>
  );
}

/** With only its name, as the form has it. */
type NamedHost = Pick<LinkHosts, "updatedAt"> & { readonly host: string; readonly all: LinkHosts };
const named = (all: LinkHosts): NamedHost => ({ updatedAt: all.updatedAt, host: all.host?.host ?? "", all });

function SetHost({ now, close }: { readonly now: LinkHosts; readonly close: () => void }) {
  const t = useTexts(linkHostTexts);
  const [seen] = useState(() => named(now));
  const sending = useMutation({
    mutationFn: (host: string) =>
      savedOver({
        seen,
        mine: { host },
        send: async (ifUpdatedAt) => named(await call("PUT /workspace/link-host", { body: { host, ifUpdatedAt } })),
        load: async () => named(await call("GET /workspace/link-host")),
      }),
    onSuccess: ({ row }) => {
      show(row.all);
      close();
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.setTitle}
      submit={t.save}
      close={close}
      sending={sending}
      onSubmit={({ host: name = "" }) => sending.mutate(name.trim())}
    >
      <Field
        name="host"
        label={t.host}
        help={t.hostHelp}
        placeholder="links.shop.example"
        defaultValue={seen.host}
        maxLength={253}
        autoComplete="off"
        spellCheck={false}
        autoFocus
      />
    </FormDialog>
  );
}

function RemoveHost({ host, close }: { readonly host: string; readonly close: () => void }) {
  const t = useTexts(linkHostTexts).remove;
  const removal = useMutation({
    mutationFn: () => call("DELETE /workspace/link-host"),
    onSuccess: (hosts) => {
      show(hosts);
      close();
    },
  });
  return (
    <Question
      title={t.title(host)}
      text={t.text}
      action={t.action}
      fault={removal.error}
      busy={removal.isPending}
      run={() => removal.mutate()}
      close={close}
    />
  );
}
