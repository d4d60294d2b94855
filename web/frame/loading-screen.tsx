// The placeholder of a screen that is loading: grey bars in the places of its parts.
import { useLocation } from "@tanstack/react-router";
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
      {shape === "writing" && <Skeleton of={null} rows={5} columns={2} />}
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
