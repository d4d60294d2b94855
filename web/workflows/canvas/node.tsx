// A step on the canvas, and an end.
import { Handle, Position, type NodeProps } from "@xyflow/react";
import { Icon, StatusIcon } from "../../parts/icon.tsx";
import { ICON_OF, saidOf, titleOf } from "../said.ts";
import { Badges } from "./badges.tsx";
import { MailBadges } from "./mails-here.tsx";
import { useDrawn } from "./on-canvas.ts";

export function StepNode({ id }: NodeProps) {
  const { drawing, words, lit, chosen, faults, choose, disabledReason } = useDrawn();
  const step = drawing.steps.find(({ ref }) => ref === id);
  if (!step) return null;
  const { type } = step;
  const [title, said] = [titleOf(step, drawing, words), saidOf(step, drawing, words)];
  const classes = [
    "step nopan",
    type === "TRIGGER" && "trig",
    type === "EXIT" && "end",
    lit?.has(id) && "lit",
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
        <span className="cut">
          <span className="hidden-text">{words.t.types[type]}: </span>
          <b className="cut">{title}</b>
          {type !== "EXIT" && <span className="dim cut">{said}</span>}
        </span>
      </button>
      <Badges step={id} />
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

/** Where nothing comes any more. */
export function EndNode({ data }: NodeProps) {
  const { words, lit } = useDrawn();
  const isLit = lit?.has(`end ${String(data["exit"])}`) ?? false;
  return (
    <div className={isLit ? "step end lit" : "step end"}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <StatusIcon name="on" tone="dim" />
      {words.t.end}
    </div>
  );
}
