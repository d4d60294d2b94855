// One webhook: its state, its deliveries, and how its receiver verifies the signature.
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Facts, Panel, Skeleton } from "../../parts/layout.tsx";
import { Label } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { KeptInFiles } from "../../saving/kept-in-files.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { webhooksTexts } from "../../texts/areas.ts";
import { SettingsBar } from "../settings-bar.tsx";
import { HookActions } from "./actions.tsx";
import { again, hookQuery, type Hook } from "./calls.ts";
import { Deliveries } from "./deliveries.tsx";
import { Signatures } from "./signatures.tsx";
import { CONDITIONS, conditionOf } from "./state.ts";
import { FORMAT_NAMES } from "./types.ts";

const route = getRouteApi("/frame/settings/webhooks/$id");

export function WebhookScreen() {
  const { id } = route.useParams();
  const { data: hook, ...asked } = useQuery(hookQuery(id));
  return (
    <>
      <SettingsBar
        tab="webhooks"
        title={hook && (hook.description ?? new URL(hook.url).host)}
        call={{ path: `/webhooks/${id}` }}
      />
      <div className="page hooks">{hook ? <Whole hook={hook} /> : <Skeleton of={asked} rows={6} columns={3} />}</div>
    </>
  );
}

function Whole({ hook }: { readonly hook: Hook }) {
  const t = useTexts(webhooksTexts).hooks;
  const { id, url, format, description, events, tags, headers, secret } = hook;
  const condition = conditionOf(hook);
  const names = Object.keys(headers);
  return (
    <>
      <Link className="back" to="/settings/webhooks" search={{ outcome: "all" }}>
        <Icon name="left" />
        {t.all}
      </Link>
      <div className="title-row">
        <div className="inline l">
          <h2 className="title">{description ?? new URL(url).host}</h2>
          <Label pill {...CONDITIONS[condition]}>
            {t.conditions[condition]}
          </Label>
        </div>
        <HookActions hook={hook} />
      </div>
      <Trouble hook={hook} />
      <KeptInFiles kind="webhooks" id={id} />
      <Panel>
        <div className="pad">
          <Facts
            facts={[
              [t.url, <code key="url">{url}</code>],
              format === "posthorn" ? null : [t.format, FORMAT_NAMES[format]],
              [t.events, events.includes("*") ? t.everything : <code key="events">{events.join(", ")}</code>],
              tags.length === 0 ? null : [t.tags, <code key="tags">{tags.join(", ")}</code>],
              names.length === 0 ? null : [t.headers, <code key="headers">{names.join(", ")}</code>],
              hook.formerSecretUntil === null
                ? null
                : [t.bothUntil, <Time key="until" at={hook.formerSecretUntil} as="exact" />],
            ]}
          />
        </div>
      </Panel>
      <Deliveries id={id} />
      {format !== "postmark" && (
        <Signatures
          secret={secret}
          format={format}
          askText={t.askText}
          rotate={async () => {
            const body = { overlapHours: 24 };
            const { secret: fresh } = await call("POST /webhooks/{id}/rotate-secret", { id, body });
            await again();
            return fresh;
          }}
        />
      )}
    </>
  );
}

/** A disabled or failing webhook, and how to fix it. */
function Trouble({ hook }: { readonly hook: Hook }) {
  const t = useTexts(webhooksTexts).hooks;
  const disabledReason = useDisabledReason("keys");
  const { id, enabled, failingSince, switchedOffAt } = hook;
  const switching = useMutation({
    mutationFn: () => call("PATCH /webhooks/{id}", { id, body: { enabled: true } }),
    onSuccess: again,
  });
  if (enabled && failingSince === null) return null;
  const turnOn = (
    <Button small busy={switching.isPending} disabledReason={disabledReason} onClick={() => switching.mutate()}>
      {t.turnOn}
    </Button>
  );
  return (
    <Banner tone={switchedOffAt === null ? "warn" : "bad"} actions={enabled ? undefined : turnOn}>
      {enabled ? t.failingText : switchedOffAt === null ? t.offText : t.switchedOffText}{" "}
      {enabled && failingSince !== null && <Time at={failingSince} />}
      {switchedOffAt !== null && <Time at={switchedOffAt} />}
    </Banner>
  );
}
