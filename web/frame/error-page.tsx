// The error page: a refused call, a deleted record, an outdated version of the app, or a bug.
import { Link, type ErrorComponentProps } from "@tanstack/react-router";
import { Fault } from "../api.ts";
import { Suspense, type ReactNode } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/layout.tsx";
import { useRefusal } from "../parts/refusal.tsx";
import { frameTexts } from "../texts/areas.ts";

export function ErrorPage({ error }: Pick<ErrorComponentProps, "error">) {
  const t = useTexts(frameTexts);
  if (error instanceof Fault && error.status === 404) return <NotFound />;
  const { title, text } = isStaleChunk(error) ? t.newVersion : t.wrong;
  return (
    <div className="page" role="alert">
      {error instanceof Fault && error.status !== 0 ? (
        <Suspense>
          <RefusedPage fault={error} />
        </Suspense>
      ) : (
        <FailedPage title={error instanceof Fault ? t.fault.away : title}>{text}</FailedPage>
      )}
    </div>
  );
}

function RefusedPage({ fault }: { readonly fault: Fault }) {
  const { wrong } = useTexts(frameTexts);
  const { message, suggestion } = useRefusal(fault);
  return (
    <FailedPage title={message}>
      {suggestion}
      {fault.requestId && (
        <>
          {" "}
          {wrong.request} <code>{fault.requestId}</code>
        </>
      )}
    </FailedPage>
  );
}

function FailedPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { wrong } = useTexts(frameTexts);
  return (
    <Empty whole title={title} action={<Button onClick={() => location.reload()}>{wrong.reload}</Button>}>
      {children}
    </Empty>
  );
}

/** A chunk of this version is gone: the server was updated. */
function isStaleChunk(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported|importing a module|error loading/i.test(error.message);
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
