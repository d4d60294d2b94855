// The steps as a list, for keyboards, screen readers and phones. It has all functions of the canvas.
import { Link } from "@tanstack/react-router";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { exitsOf, inOrder, isReached, transitionAt, type Exit, type DrawnStep } from "../drawing.ts";
import { branchName, ICON_OF, describeStep, titleOf } from "../describe-step.ts";
import { Badges, PeopleLink } from "./badges.tsx";
import { MailBadges } from "./email-badges.tsx";
import { InsertMenu } from "./insert-menu.tsx";
import { exitKey, passedAt, useDrawn } from "./on-canvas.ts";
import { TallyLine } from "./tally.tsx";
import "./steps-list.css";

export function StepsList() {
  const { drawing, words, id, search } = useDrawn();
  const { t } = words;
  const { view: _, ...rest } = search;
  return (
    <div className="scroll steps-list">
      <ol aria-label={t.list.title}>
        {inOrder(drawing).map((step, at) => (
          <li key={step.ref}>
            <StepItem step={step} at={at} />
          </li>
        ))}
      </ol>
      <div className="inline l">
        <span className="tally">
          <TallyLine />
        </span>
        <Link className="push wide-only row-text" to="/workflows/$id" params={{ id }} search={rest}>
          {t.asCanvas}
        </Link>
      </div>
    </div>
  );
}

function StepItem({ step, at }: { readonly step: DrawnStep; readonly at: number }) {
  const { drawing, words, highlighted, chosen, choose } = useDrawn();
  const { t } = words;
  const [title, summary] = [titleOf(step, drawing, words), describeStep(step, drawing, words)];
  const classes = ["in-list", highlighted?.has(step.ref) && "lit", chosen === step.ref && "sel"]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={classes}>
      <div className="inline">
        <span className="dim small">{t.list.number(at + 1)}</span>
        <button
          type="button"
          className="text-btn inline step-name"
          aria-pressed={chosen === step.ref}
          onClick={() => choose(step.ref)}
        >
          <Icon name={ICON_OF[step.type]} />
          <b className="cut">{title}</b>
          <span className="hidden-text">{t.types[step.type]}</span>
        </button>
        <span className="dim cut">{summary}</span>
        <span className="push inline">
          <Badges step={step.ref} />
          {step.type === "SEND_EMAIL" && <MailBadges step={step.ref} />}
        </span>
      </div>
      {!isReached(drawing, step.ref) && <p className="small warn-ink">{t.list.unreached}</p>}
      {exitsOf(step).length > 0 && (
        <ul>
          {exitsOf(step).map((exit) => (
            <li key={exitKey(exit)} className="inline">
              <NextSteps exit={exit} step={step} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function NextSteps({ exit, step }: { readonly exit: Exit; readonly step: DrawnStep }) {
  const drawn = useDrawn();
  const { drawing, words, disabledReason, choose } = drawn;
  const { t, number } = words;
  const transition = transitionAt(drawing, exit);
  const next = drawing.steps.find(({ ref }) => ref === transition?.to);
  const passed = passedAt(drawn, exit);
  return (
    <>
      <span className="dim">
        {exit.branch === null ? "" : `${t.list.by(branchName(exit.branch, step, words))} `}
        {next ? t.list.leads : t.panel.nowhere}
      </span>
      {next && (
        <Button kind="quiet" small onClick={() => choose(next.ref)}>
          {titleOf(next, drawing, words)}
        </Button>
      )}
      {passed !== undefined && (
        <PeopleLink step={exit.from} state="passed" branch={exit.branch}>
          {number(passed)}
        </PeopleLink>
      )}
      {disabledReason === undefined && <InsertMenu exit={exit} shown={t.list.insert} />}
    </>
  );
}
