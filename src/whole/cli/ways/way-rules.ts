// `posthorn way rules`: the rules that choose the ways of emails, in their order.
import { keptRules, type KeptRule } from "../../../ground/ways/rule-queries.ts";
import { inStore } from "../beside.ts";
import { printList } from "../print.ts";
import type { VerbCall } from "../verb.ts";

export async function listRules(call: VerbCall): Promise<void> {
  const rules = await inStore(call, ({ store }) => store.read(keptRules));
  printList(call, rules.map(ruleLine), inColumns, "There are no rules: all email leaves by the first way that works.");
}

/** In the form of the API. */
function ruleLine({ id, name, workspaceId, domain, kind, tag, provider, ways, others }: KeptRule) {
  return { id, name, workspaceId, domain, kind, tag, provider, ways, others };
}
type RuleLine = ReturnType<typeof ruleLine>;

function inColumns({ name, workspaceId, domain, kind, tag, provider, ways, others }: RuleLine) {
  const about = [
    workspaceId && `workspace ${workspaceId}`,
    domain && `from ${domain}`,
    kind?.toLowerCase(),
    tag && `tag ${tag}`,
    provider && `to ${provider}`,
  ].filter((one) => one !== null && one !== undefined);
  const shown = ways.map((way) => (ways.length > 1 && way.weight > 0 ? `${way.name} ${way.weight}` : way.name));
  return {
    name,
    email: about.length === 0 ? "all" : about.join(", "),
    ways: shown.join(", "),
    then: others ? "the others" : "it waits",
  };
}
