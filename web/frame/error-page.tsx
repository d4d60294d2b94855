// The error page: a refused call, a deleted record, an outdated version of the app, or a bug.
import { Link, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Fault } from "../calls/api.ts";
import { Suspense, useEffect, type ReactNode } from "react";
import { recoveries } from "../base/connection.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/layout.tsx";
import { Reason, useShown } from "../parts/failed.tsx";
import { forget } from "../calls/queries.ts";
import { useRefusal } from "../parts/refusal.tsx";
import { frameTexts } from "../texts/areas.ts";

export function ErrorPage({ error, reset }: Pick<ErrorComponentProps, "error" | "reset">) {
  const { wrong, failed } = useTexts(frameTexts);
  useShown(error);
  const router = useRouter();
  const again = () => {
    forget(error);
    reset();
    void router.invalidate();
  };
  useEffect(() => recoveries.watch(again));
  if (error instanceof Fault && error.status === 404) return <NotFound />;
  return (
    <div className="page" role="alert">
      {error instanceof Fault ? (
        <Suspense>
          <FailedPage fault={error} again={again} />
        </Suspense>
      ) : (
        <ErrorText title={wrong.title} name={failed.again} run={again}>
          {wrong.text}
        </ErrorText>
      )}
    </div>
  );
}

/** The error page outside the frame. */
export function WholeErrorPage(props: Pick<ErrorComponentProps, "error" | "reset">) {
  return (
    <main>
      <ErrorPage {...props} />
    </main>
  );
}

function FailedPage({ fault, again }: { readonly fault: Fault; readonly again: () => void }) {
  const { failed, wrong } = useTexts(frameTexts);
  const { message, suggestion } = useRefusal(fault);
  const isRefused = fault.status >= 400 && fault.status < 500;
  return (
    <ErrorText title={isRefused ? message : failed.page} name={failed.again} run={again}>
      {isRefused ? suggestion : <Reason fault={fault} />}
      {isRefused && fault.requestId && [" ", wrong.request, " ", <code key="id">{fault.requestId}</code>]}
    </ErrorText>
  );
}

type ErrorTextProps = {
  readonly title: string;
  readonly name: string;
  readonly run: () => void;
  readonly children: ReactNode;
};

function ErrorText({ title, name, run, children }: ErrorTextProps) {
  const button = (
    <Button icon="again" onClick={run}>
      {name}
    </Button>
  );
  return (
    <Empty whole title={title} action={button}>
      {children}
    </Empty>
  );
}

export function NotFound() {
  const { notFound } = useTexts(frameTexts);
  return (
    <div className="page">
      <Empty
        whole
        title={notFound.title}
        action={
          <Link className="btn" to="/">
            {notFound.go}
          </Link>
        }
      >
        {notFound.text}
      </Empty>
    </div>
  );
}
