// When a page fails: what the server said, a record that is gone, a new version of the face, or a fault of ours.
import { Link, type ErrorComponentProps } from "@tanstack/react-router";
import { Fault } from "../api.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/layout.tsx";
import { frameTexts } from "../texts/frame.ts";

export function Wrong({ error }: Pick<ErrorComponentProps, "error">) {
  const t = useTexts(frameTexts);
  if (error instanceof Fault && error.status === 404) return <NotFound />;
  const { title, text, reload } = isOfOldVersion(error) ? t.newVersion : t.wrong;
  const told = error instanceof Fault ? { title: error.message, text: error.suggestion } : { title, text };
  return (
    <div className="page" role="alert">
      <Empty whole title={told.title} act={<Button onClick={() => location.reload()}>{reload}</Button>}>
        {told.text}
        {error instanceof Fault && error.requestId && (
          <>
            {" "}
            {t.wrong.request} <code>{error.requestId}</code>
          </>
        )}
      </Empty>
    </div>
  );
}

/** A file of this version is no longer there: the server is newer. */
function isOfOldVersion(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported|importing a module|error loading/i.test(error.message);
}

export function NotFound() {
  const { notFound } = useTexts(frameTexts);
  return (
    <div className="page">
      <Empty
        whole
        title={notFound.title}
        act={
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
