// The SQL of the uses of a template.
import type { Reader } from "../../store/store.ts";

/** A step by name, with its workflow. */
export type TemplateStep = {
  readonly workflow: number;
  readonly id: string;
  readonly name: string;
  readonly enabled: 0 | 1;
  readonly seq: number;
  readonly step: string;
};

/** The newest steps that send the template, unordered. */
export function stepsSending(reader: Reader, template: number, most: number): Promise<TemplateStep[]> {
  return reader.all<TemplateStep>`
    select w.seq as workflow, w.id, w.name, w.enabled, place.seq, place.name as step from (
      select workflow, seq, name from workflow_steps where template = ${template} order by seq desc limit ${most}) as place
    join workflows w on w.seq = place.workflow`;
}
