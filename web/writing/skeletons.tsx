// What stands in place of an editor until it has come. The frame, which every page waits for, has only the fields.
import { useTexts } from "../language.ts";
import { Skeleton } from "../parts/layout.tsx";
import { frameTexts } from "../texts/areas.ts";
import "./skeletons.css";

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
