// Placeholders while an editor loads. In their own file: the frame, which every page loads, does not need them.
import { useTexts } from "../base/language.ts";
import { Skeleton } from "../parts/layout.tsx";
import { frameTexts } from "../texts/areas.ts";
import "./skeletons.css";

/** The inbox fields, the toolbar and the text; beside them the preview. */
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
