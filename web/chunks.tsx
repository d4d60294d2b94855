// Parts of the page that are loaded when they are needed. A part that cannot be loaded is tried again, and a message
// stands in its place.
import { use, type FunctionComponent } from "react";
import { isAnswering, isOutdated, recoveries, tryNow } from "./base/connection.ts";
import { needsReload } from "./base/import-files.ts";
import { useTexts } from "./base/language.ts";
import { Button } from "./parts/button.tsx";
import { StatusIcon } from "./parts/icons/icon.tsx";
import { useSignal } from "./base/signal.ts";
import { loadChunk, settledPromise } from "./base/load-chunk.ts";
import { frameTexts } from "./texts/areas.ts";

type Lazy<Props> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };
type PropsOf<Part> = Part extends (props: infer Props) => unknown ? Props : never;

/** `lazyPart(() => import("./palette.tsx"), "Palette")`. Suspends until it is loaded. `missing`: shown if it fails. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  missing: FunctionComponent = MissingPart,
): Lazy<PropsOf<Module[Name]>> {
  return lazily(async () => (await load())[name] as FunctionComponent, missing) as Lazy<PropsOf<Module[Name]>>;
}

/** As `lazyPart`, for routes. Untyped, because the types of routes are made from those of all screens. */
export function lazyScreen(load: () => Promise<unknown>, name: string): Lazy<object> {
  return lazily(async () => ((await load()) as Readonly<Record<string, FunctionComponent>>)[name], MissingScreen);
}

function lazily(load: () => Promise<FunctionComponent | undefined>, missing: FunctionComponent): Lazy<object> {
  let part: Promise<FunctionComponent> | undefined;
  /** The count of recoveries at the last failed attempt; null = none. It is tried again after the next recovery. */
  let triedInVain: number | null = null;
  const loaded = () => {
    const isDue = triedInVain !== null && triedInVain !== recoveries.get();
    if (part && !isDue) return part;
    triedInVain = null;
    part = settledPromise(
      loadChunk(load).then(
        (loaded) => loaded ?? missing,
        () => {
          triedInVain = recoveries.get();
          return missing;
        },
      ),
    );
    return part;
  };
  function LazyPart(props: object) {
    useSignal(recoveries);
    const Part = use(loaded());
    return <Part {...props} />;
  }
  return Object.assign(LazyPart, { preload: async () => void (await loaded()) });
}

/** For `missing` of a dialog or a menu: the bar above the page says that something is missing. */
export const nothing = () => null;

function MissingPart() {
  const { failed, newVersion } = useTexts(frameTexts);
  const isOld = useSignal(isOutdated);
  return (
    <div className="not-loaded" role="status">
      <StatusIcon name="warn" tone="warn" />
      <p>
        <b>{isOld ? newVersion.title : failed.part}</b> {isOld && newVersion.text}
      </p>
      <AgainButton />
    </div>
  );
}

function MissingScreen() {
  const { failed, newVersion } = useTexts(frameTexts);
  const isOld = useSignal(isOutdated);
  return (
    <div className="page" role="status">
      <div className="empty">
        <h1>{isOld ? newVersion.title : failed.page}</h1>
        {isOld && <p>{newVersion.text}</p>}
        <AgainButton />
      </div>
    </div>
  );
}

function AgainButton() {
  const { failed, newVersion } = useTexts(frameTexts);
  if (useSignal(isOutdated)) return <Button onClick={() => location.reload()}>{newVersion.reload}</Button>;
  return (
    <Button icon="again" onClick={() => void tryAgain()}>
      {failed.again}
    </Button>
  );
}

/** Without an answer, a reload would leave nothing of the page. */
async function tryAgain(): Promise<void> {
  if (needsReload.get() && (await isAnswering())) location.reload();
  else await tryNow();
}
