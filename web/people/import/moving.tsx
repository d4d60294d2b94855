// Copies an account of another product through its API. The browser requests one page after the other and keeps the
// progress. The API key is only in its field, so it is gone once the page is left.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { Field, Form } from "../../parts/fields/form.tsx";
import { Facts, Panel } from "../../parts/layout.tsx";
import { Select } from "../../parts/fields/select.tsx";
import type { BodyOf, AnswerOf } from "../../calls/routes.ts";
import { saveFile } from "../../base/save-file.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { peopleChanged } from "../calls.ts";

const ROUTE = "POST /contacts/import-from";
type MoveRequest = Omit<BodyOf<typeof ROUTE>, "state">;
type MoveProgress = AnswerOf<typeof ROUTE> & { readonly of: MoveRequest };
type Product = MoveRequest["product"];

const PRODUCTS: readonly (readonly [id: Product, name: string])[] = [
  ["mailchimp", "Mailchimp"],
  ["brevo", "Brevo"],
  ["resend", "Resend"],
  ["listmonk", "listmonk"],
  ["plunk", "Plunk"],
  ["ghost", "Ghost"],
];
const ON_OWN_SERVERS: readonly Product[] = ["listmonk", "ghost"];

export function MovePanel() {
  const { moving: words } = useTexts(peopleTexts).import;
  const mayNot = useDisabledReason("people.bulk");
  const [product, choose] = useState<Product>("mailchimp");
  const [progress, setProgress] = useState<MoveProgress | null>(null);
  const isStopped = useRef(false);
  useEffect(() => () => void (isStopped.current = true), []);
  const run = async (request: MoveRequest) => {
    isStopped.current = false;
    let state = progress && goesOn(progress, request) ? progress.state : null;
    for (let isOver = false; !isOver && !isStopped.current;) {
      const answer = await call(ROUTE, { body: { ...request, ...(state ? { state } : {}) } });
      setProgress({ ...answer, of: request });
      state = answer.state;
      isOver = answer.report !== null;
      const seconds = answer.waitSeconds ?? 0;
      if (seconds > 0) await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
  const moving = useMutation({ mutationFn: run, onSettled: peopleChanged, meta: { inForm: true } });
  const isOwn = ON_OWN_SERVERS.includes(product);
  return (
    <Panel title={words.title}>
      <div className="pad stack l">
        <p className="dim row-text">{words.text}</p>
        <Form
          fault={moving.error}
          unsaved={moving.isPending}
          disabledReason={mayNot}
          onSubmit={({ key = "", baseUrl = "", dryRun }) =>
            moving.mutate({
              ...{ product, key: key.trim(), dryRun: dryRun !== undefined },
              ...(baseUrl.trim() ? { baseUrl: baseUrl.trim() } : {}),
            })
          }
        >
          <Select
            name="product"
            label={words.product}
            value={product}
            options={PRODUCTS.map(([id, name]) => ({ id, name }))}
            onChange={(id) => choose(id as Product)}
          />
          <Field
            name="key"
            type="password"
            autoComplete="off"
            label={words.key}
            help={`${words.keys[product]} ${words.keyHelp}`}
          />
          {(isOwn || product === "plunk") && (
            <Field
              key={product}
              name="baseUrl"
              label={words.address}
              {...(isOwn ? {} : { note: words.optional })}
              help={words.addressHelp}
              placeholder="https://"
            />
          )}
          <Checkbox name="dryRun" defaultChecked>
            {words.dryRun}
          </Checkbox>
          <span className="inline">
            {moving.isPending ? (
              <Button onClick={() => (isStopped.current = true)}>{words.stop}</Button>
            ) : (
              <Button kind="first" type="submit" disabledReason={mayNot}>
                {words.start}
              </Button>
            )}
          </span>
        </Form>
        {progress && <Progress progress={progress} isRunning={moving.isPending} />}
      </div>
    </Panel>
  );
}

/**
 * A move that was stopped continues. After a dry run, or with another key, which may be of another account, it starts
 * again.
 */
function goesOn({ of, report }: MoveProgress, request: MoveRequest): boolean {
  const isSame = (["product", "key", "baseUrl", "dryRun"] as const).every((name) => of[name] === request[name]);
  return report === null && isSame;
}

const GROUPS = ["people", "topics", "segments", "members", "templates", "suppressions"] as const;
const MOST_GAPS = 20;

type ProgressProps = { readonly progress: MoveProgress; readonly isRunning: boolean };

function Progress({ progress: { state, report, waitSeconds, of }, isRunning }: ProgressProps) {
  const { moving: words } = useTexts(peopleTexts).import;
  const { number } = useFormats();
  const counts = GROUPS.map((group) => [words.groups[group], state.counts[group]] as const);
  const read = counts.filter(([, { read }]) => read > 0);
  const title = report === null ? (isRunning ? words.running : words.stopped) : of.dryRun ? words.tried : words.done;
  return (
    <section className="stack" aria-label={words.result}>
      <h3 role="status">{title}</h3>
      {isRunning && (waitSeconds ?? 0) > 1 && <p className="dim row-text">{words.waiting(number(waitSeconds ?? 0))}</p>}
      <Facts
        facts={read.map(([name, { read: there, added, changed, known, refused }]) => [
          name,
          [
            words.there(number(there)),
            ...(added > 0 ? [of.dryRun ? words.wouldCome(number(added)) : words.added(number(added))] : []),
            ...(changed > 0 ? [words.changed(number(changed))] : []),
            ...(known > 0 ? [words.known(number(known))] : []),
            ...(refused > 0 ? [words.refused(number(refused))] : []),
          ].join(", "),
        ])}
      />
      {report !== null && (
        <>
          <h3>{state.gaps.length === 0 ? words.whole : words.gaps}</h3>
          {state.gaps.length > 0 && (
            <ul>
              {state.gaps.slice(0, MOST_GAPS).map(({ what, why, count, examples }) => (
                <li key={what + why} className="row-text">
                  {words.groups[what]}, {number(count)}: {why}{" "}
                  {examples.length > 0 && <span className="dim">({examples.join(", ")})</span>}
                </li>
              ))}
            </ul>
          )}
          <span className="inline">
            <Button onClick={() => saveFile(`${of.product}.md`, new Blob([report], { type: "text/markdown" }))}>
              {words.save}
            </Button>
          </span>
        </>
      )}
    </section>
  );
}
