// The warm-up of a sender domain or of a way out: the day, today's emails to each mailbox provider, and when the rest
// will have left.
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { Banner } from "../../../parts/banner.tsx";
import { Button } from "../../../parts/button.tsx";
import { FaultBanner } from "../../../parts/fields/form.tsx";
import { Panel, Skeleton } from "../../../parts/layout.tsx";
import { ResourceActions } from "../../../parts/overlays/resource-actions.tsx";
import { Rows } from "../../../parts/rows.tsx";
import { Label } from "../../../parts/state.tsx";
import { ExpectedTime, PlannedTime } from "../../../parts/planned-time.tsx";
import { Time } from "../../../parts/time.tsx";
import { useDisabledReason } from "../../../calls/session.ts";
import { warmupTexts } from "../../../texts/areas.ts";
import { PROVIDER_NAMES } from "../../../texts/provider-names.ts";
import type { Domain } from "../calls.ts";
import { useWarmupAct, warmupQuery, type WarmupSubject, type Warmup } from "./calls.ts";
import { EndWarmup } from "./end.tsx";
import { PlanForm } from "./plan-form.tsx";
import "./warmup.css";

const MARKS = {
  PLANNED: { icon: "scheduled" },
  RUNNING: { icon: "sending", tone: "note" },
  PAUSED: { icon: "held", tone: "warn" },
  HALTED: { icon: "failed", tone: "bad" },
  DONE: { icon: "delivered", tone: "ok" },
  SKIPPED: { icon: "skipped" },
} as const;

const UNDER_WAY: readonly Warmup["state"][] = ["RUNNING", "PAUSED", "HALTED"];

type WarmupOwner = {
  readonly of: WarmupSubject;
  /** The name of the domain or the way. */
  readonly name: string;
};

/** Mounted in two places: a warm-up under way comes first on the page, any other state last. */
export function WarmupOfDomain({ domain, isFirst }: { readonly domain: Domain; readonly isFirst: boolean }) {
  const of = { domain: domain.id };
  const { data } = useQuery(warmupQuery(of));
  const isUnderWay = data !== undefined && UNDER_WAY.includes(data.state);
  return isUnderWay === isFirst && <WarmupPanel of={of} name={domain.domain} />;
}

/** Renders nothing unless the warm-up is under way: running, paused or halted. */
export function WarmupOfWay({ way }: { readonly way: string }) {
  const t = useTexts(warmupTexts);
  const of = { way };
  const { data } = useQuery(warmupQuery(of));
  const isUnderWay = data !== undefined && UNDER_WAY.includes(data.state);
  return isUnderWay && <WarmupPanel of={of} name={way} title={t.titleOfWay(way)} />;
}

function WarmupPanel({ title, ...warmed }: WarmupOwner & { readonly title?: string }) {
  const t = useTexts(warmupTexts);
  const { data: warmup, ...asked } = useQuery(warmupQuery(warmed.of));
  if (warmup?.state === "NONE") return null;
  return (
    <Panel title={title ?? t.title} actions={warmup && <Actions {...warmed} warmup={warmup} state={warmup.state} />}>
      {warmup ? <Standing warmup={warmup} state={warmup.state} /> : <Skeleton of={asked} rows={3} columns={3} />}
    </Panel>
  );
}

type State = Exclude<Warmup["state"], "NONE">;
type StandingProps = { readonly warmup: Warmup; readonly state: State };

function Standing({ warmup, state }: StandingProps) {
  const t = useTexts(warmupTexts);
  return (
    <>
      <div className="pad stack">
        <div className="inline">
          <Label {...MARKS[state]}>{t.states[state]}</Label>
        </div>
        {state === "HALTED" && (
          <Banner tone="bad">
            <b>
              {t.halted} {warmup.reason}
            </b>
            <p>{t.haltedText}</p>
          </Banner>
        )}
        <p className="row-text">
          <About warmup={warmup} state={state} />
        </p>
        {warmup.doneAt !== null && (
          <p className="row-text">
            {t.done} <ExpectedTime at={warmup.doneAt} />.
          </p>
        )}
      </div>
      {UNDER_WAY.includes(state) && <Today today={warmup.today} />}
    </>
  );
}

function About({ warmup: { plan, day, dayEndsAt, reason }, state }: StandingProps) {
  const t = useTexts(warmupTexts);
  const { number } = useFormats();
  if (state === "PLANNED") return t.planned(number(plan.days[0] ?? 0));
  if (state === "PAUSED") return t.paused;
  if (state === "DONE" || state === "SKIPPED") return [t.over, reason].filter(Boolean).join(" ");
  const now = day ?? 1;
  const allowed = plan.days[now - 1] ?? plan.days.at(-1) ?? 0;
  return (
    <>
      {t.day(number(now), number(plan.days.length), number(allowed))}{" "}
      {dayEndsAt === null ? (
        t.notYet
      ) : (
        <>
          {t.next} <Time at={dayEndsAt} />.
        </>
      )}
    </>
  );
}

function Today({ today }: Pick<Warmup, "today">) {
  const t = useTexts(warmupTexts);
  const { number } = useFormats();
  if (today.length === 0) return <p className="pad dim row-text">{t.nobody}</p>;
  const { columns } = t;
  return (
    <Rows
      of={{ error: null, errorUpdateCount: 0, isFetching: false }}
      className="warmup-rows"
      columns={[columns.provider, columns.sent, { end: columns.waiting }, { end: columns.done }]}
      items={today}
      row={({ provider, allowed, sent, waiting, doneAt }) => (
        <div className="line" key={provider}>
          <span className="cut">{PROVIDER_NAMES[provider] ?? provider}</span>
          <span className="warmup-sent">
            <meter
              min={0}
              max={allowed}
              value={Math.min(sent, allowed)}
              aria-label={t.of(number(sent), number(allowed))}
            />
            <span className="dim">{t.of(number(sent), number(allowed))}</span>
          </span>
          <span className="end">
            {waiting > 0 ? number(waiting) : "–"}{" "}
            <span className="narrow-only dim">{columns.waiting.toLowerCase()}</span>
          </span>
          <span className="end dim">{doneAt ? <PlannedTime at={doneAt} /> : "–"}</span>
        </div>
      )}
    />
  );
}

type ActionsProps = StandingProps & WarmupOwner;

function Actions({ of, name, warmup, state }: ActionsProps) {
  const t = useTexts(warmupTexts);
  const disabledReason = useDisabledReason("domain" in of ? "domains" : "installation");
  const act = useWarmupAct(of);
  const isOver = state === "DONE" || state === "SKIPPED";
  const mayResume = state === "PAUSED" || state === "HALTED";
  return (
    <div className="actions">
      {act.error != null && <FaultBanner fault={act.error} />}
      {mayResume && (
        <Button
          small
          kind="first"
          busy={act.isPending}
          disabledReason={disabledReason}
          onClick={() => act.mutate("resume")}
        >
          {t.actions.resume}
        </Button>
      )}
      <ResourceActions
        label={t.actions.label}
        kind="warm-up"
        thing={name}
        disabledReason={disabledReason}
        actions={[
          ...(isOver
            ? [{ id: "restart", name: t.actions.restart, icon: "again" as const, run: () => act.mutate("restart") }]
            : [
                {
                  id: "plan",
                  name: t.actions.plan,
                  icon: "clock" as const,
                  dialog: (close: () => void) => <PlanForm of={of} warmup={warmup} close={close} />,
                },
                ...(state === "RUNNING" || state === "PLANNED"
                  ? [{ id: "pause", name: t.actions.pause, icon: "pause" as const, run: () => act.mutate("pause") }]
                  : []),
                {
                  id: "skip",
                  name: state === "PLANNED" ? t.actions.never : t.actions.skip,
                  icon: "send" as const,
                  dialog: (close: () => void) => <EndWarmup of={of} name={name} close={close} />,
                },
              ]),
        ]}
      />
    </div>
  );
}
