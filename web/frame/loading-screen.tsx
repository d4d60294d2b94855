// What stands in place of a screen until it has come: grey bars where its parts will be.
import { useLocation } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { frameTexts } from "../texts/areas.ts";
import { Skeleton } from "../parts/layout.tsx";
import "./loading-screen.css";

type Shape = "list" | "writing" | "panels";

const WRITES = /^\/(campaigns|templates)\/[^/]+$/;
const LISTS = /^\/(mail|people|segments|topics|suppressions|campaigns|templates|workflows|events|forms)\/?$/;

export function shapeOf(pathname: string): Shape {
  const place = pathname.replace(/^\/app(?=\/|$)/, "");
  return WRITES.test(place) ? "writing" : LISTS.test(place) ? "list" : "panels";
}

export function LoadingScreen() {
  const { pathname } = useLocation();
  const shape = shapeOf(pathname);
  return (
    <>
      <header className="bar" aria-hidden="true">
        <span className="skeleton head" />
      </header>
      {shape === "list" && <Skeleton of={null} rows={12} columns={4} />}
      {shape === "writing" && <WritingSkeleton />}
      {shape === "panels" && (
        <div className="page">
          {[3, 5].map((rows) => (
            <div className="panel" key={rows}>
              <Skeleton of={null} rows={rows} columns={3} />
            </div>
          ))}
        </div>
      )}
    </>
  );
}

/** The fields of an inbox, the tools, the sheet; beside them the preview. */
export function WritingSkeleton() {
  return (
    <div className="fill writing">
      <div className="split">
        <div className="first">
          <Skeleton of={null} rows={5} columns={2} />
          <EditorSkeleton />
        </div>
        <div className="second" aria-hidden="true">
          <div className="paper-to-come" />
        </div>
      </div>
    </div>
  );
}

/** Lines of a text. */
export function EditorSkeleton() {
  const t = useTexts(frameTexts);
  return (
    <div className="code-editor text-to-come" aria-busy="true">
      <span className="hidden-text" role="status">
        {t.loading}
      </span>
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton short" />
    </div>
  );
}
