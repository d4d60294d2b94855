// Finds expressions that Liquid would parse only in part, silently dropping the rest.
import { toValueSync, Value, type Template, type Token } from "liquidjs";

/** The fault of an expression, and its place in the source. */
type Flaw = { readonly at: number; readonly reason: string };

const NO_OPERATOR = 'two values without an operator between them; a key with spaces is data["First Name"]';
const NO_VALUE = "a value is missing or cannot be read";

/** The first flaw in the parsed template; undefined = none. */
export function flawIn(templates: readonly Template[]): Flaw | undefined {
  for (const template of templates) {
    const flaw = flawOf(template) ?? flawIn(childrenOf(template));
    if (flaw) return flaw;
  }
  return undefined;
}

function childrenOf(template: Template): readonly Template[] {
  return template.children ? (toValueSync(template.children(false, true)) as Template[]) : [];
}

function flawOf(template: Template): Flaw | undefined {
  for (const argument of template.arguments?.() ?? []) {
    const flaw = argument instanceof Value ? flawOfExpression(argument.initial.postfix) : undefined;
    if (flaw) return flaw;
  }
  return undefined;
}

/** `postfix`: operands before their operators. */
function flawOfExpression(postfix: readonly Token[]): Flaw | undefined {
  const operands: Token[] = [];
  for (const token of postfix) {
    const text = token.getText();
    if (/^\.|\.$/.test(text)) return { at: token.begin, reason: NO_VALUE };
    const takes = operandsOf(token);
    if (operands.length < takes) return { at: token.begin, reason: NO_VALUE };
    operands.splice(operands.length - takes, takes, token);
  }
  const second = operands[1];
  return second && { at: second.begin, reason: NO_OPERATOR };
}

function operandsOf(token: Token): number {
  if (!("operator" in token)) return 0;
  return token.operator === "not" ? 1 : 2;
}
