// A step on the canvas, and an end node.
import { Handle, Position, type NodeProps } from "@xyflow/react";
import { Icon, StatusIcon } from "../../parts/icons/icon.tsx";
import { ICON_OF, describeStep, titleOf } from "../describe-step.ts";
import { Badges } from "./badges.tsx";
import { MailBadges } from "./email-badges.tsx";
import { useDrawn } from "./on-canvas.ts";

export function StepNode({ id }: NodeProps) {
  const { drawing, words, highlighted, chosen, faults, choose, disabledReason } = useDrawn();
  const step = drawing.steps.find(({ ref }) => ref === id);
  if (!step) return null;
  const { type } = step;
  const [title, summary] = [titleOf(step, drawing, words), describeStep(step, drawing, words)];
  const classes = [
    "step nopan",
    type === "TRIGGER" && "trig",
    type === "EXIT" && "end",
    highlighted?.has(id) && "lit",
    chosen === id && "sel",
    faults.has(id) && "faulty",
  ];
  return (
    <div className={classes.filter(Boolean).join(" ")}>
      {type !== "TRIGGER" && (
        <Handle type="target" position={Position.Top} isConnectable={disabledReason === undefined} />
      )}
      <button type="button" className="face-of" aria-pressed={chosen === id} onClick={() => choose(id)}>
        {type === "EXIT" ? <StatusIcon name="on" tone="dim" /> : <Icon name={ICON_OF[type]} />}
        <span className="names">
          <span className="hidden-text">{words.t.types[type]}: </span>
          <b className="step-title">{title}</b>
          {type !== "EXIT" && <span className="dim cut">{summary}</span>}
        </span>
      </button>
      <span className="badges">
        <Badges step={id} />
      </span>
      {type === "SEND_EMAIL" && (
        <span className="beside">
          <MailBadges step={id} />
        </span>
      )}
      {type !== "EXIT" && (
        <Handle type="source" position={Position.Bottom} isConnectable={disabledReason === undefined} />
      )}
    </div>
  );
}

/** The end node. */
export function EndNode({ data }: NodeProps) {
  const { words, highlighted } = useDrawn();
  const isLit = highlighted?.has(`end ${String(data["exit"])}`) ?? false;
  return (
    <div className={isLit ? "step end lit" : "step end"}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <StatusIcon name="on" tone="dim" />
      {words.t.end}
    </div>
  );
}
