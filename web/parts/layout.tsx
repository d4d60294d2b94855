// Layout: panels, facts, skeletons, empty states, timelines, key hints.
import { Suspense, useRef, type ReactNode } from "react";
import { useTexts } from "../base/language.ts";
import { useMembership } from "../calls/session.ts";
import { frameTexts } from "../texts/areas.ts";
import { Failed } from "./failed.tsx";
import { StatusIcon, type StatusIconName, type Tone } from "./icons/icon.tsx";
import { lazyPart } from "../chunks.tsx";

// Loaded lazily: the frame needs this file but no code blocks.
const Code = lazyPart(() => import("./code.tsx"), "Code");

type PanelProps = { readonly title?: ReactNode; readonly actions?: ReactNode; readonly children: ReactNode };

export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section className="panel">
      {title && (
        <header>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode] | null)[] }) {
  return (
    <dl className="facts">{facts.map((fact) => fact && <Fact key={fact[0]} name={fact[0]} value={fact[1]} />)}</dl>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** The state of a query. */
export type QueryState = {
  readonly error: unknown;
  readonly errorUpdateCount: number;
  readonly isFetching: boolean;
  readonly data?: unknown;
};

/** The first failed query of several that are needed together; otherwise the first. */
export function failedOf(queries: readonly QueryState[]): QueryState {
  return (
    queries.find(({ errorUpdateCount, data }) => errorUpdateCount > 0 && data === undefined) ??
    (queries[0] as QueryState)
  );
}

type SkeletonProps = {
  /** The query; null: a part of the page. */
  readonly of: QueryState | null;
  readonly rows: number;
  readonly columns: number;
  readonly className?: string;
};

/** Grey bars while a list loads, or its error. `className`: the columns of the rows. */
export function Skeleton({ of, rows, columns, className = "" }: SkeletonProps) {
  const t = useTexts(frameTexts);
  // The error stays visible during a retry.
  const fault = useRef<unknown>(null);
  if (!of || of.errorUpdateCount === 0) fault.current = null;
  else fault.current = of.error ?? fault.current;
  if (of && fault.current != null) return <Failed fault={fault.current} busy={of.isFetching} />;
  return (
    <div className={`rows ${className}`} aria-busy="true">
      <span className="hidden-text" role="status">
        {t.loading}
      </span>
      {Array.from({ length: rows }, (_, row) => (
        <div className="line" key={row}>
          {Array.from({ length: columns }, (_, column) => (
            <span className={`skeleton w${(row + column) % 3}`} key={column} />
          ))}
        </div>
      ))}
    </div>
  );
}

type EmptyProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** The same as an API call, for people whose role may create keys. */
  readonly curl?: string;
  /** The only content of the screen. */
  readonly whole?: boolean;
};

/** An empty state: one sentence, one button, one curl command. */
export function Empty({ title, children, action, curl, whole }: EmptyProps) {
  const Title = whole ? "h1" : "h2";
  return (
    <div className="empty">
      <Title>{title}</Title>
      <p>{children}</p>
      {action}
      {curl && <ExampleCall text={curl} />}
    </div>
  );
}

/** Only for roles that may create keys: others cannot call the API. */
function ExampleCall({ text }: { readonly text: string }) {
  const mayCall = useMembership()?.permissions.includes("keys") ?? false;
  return <Suspense>{mayCall && <Code text={text} />}</Suspense>;
}

export type TimelineItem = {
  readonly id: string;
  readonly icon: StatusIconName;
  readonly tone?: Tone;
  readonly title: ReactNode;
  readonly when: ReactNode;
  readonly children?: ReactNode;
};

/** A timeline of sentences with their evidence. */
export function Timeline({ moments }: { readonly moments: readonly TimelineItem[] }) {
  return (
    <ol className="tl">
      {moments.map(({ id, icon, tone = "dim", title, when, children }) => (
        <li key={id}>
          <StatusIcon name={icon} tone={tone} />
          <div>
            <b>{title}</b>
            {children}
          </div>
          {when}
        </li>
      ))}
    </ol>
  );
}

export function KeyHints({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="keys">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
