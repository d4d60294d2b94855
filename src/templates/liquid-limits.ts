// Bounds that liquidjs lacks: lists that hold themselves many times over, filters that go through very long ones, and ranges
// that never end.
import { Expression, type FilterImplOptions, type RangeToken, TokenKind, Tokenizer } from "liquidjs";

type FilterHandler = Extract<FilterImplOptions, (...values: never[]) => unknown>;
type FilterCall = ThisParameterType<FilterHandler>;
type Limiter = FilterCall["context"]["memoryLimit"];

/** The filter that `(a..b)` becomes. */
export const RANGE_FILTER = "?range";

/** What a list or an object takes besides what it holds, in characters. */
const OBJECT_COST = 8;

/** What an expression evaluated for one item of a list counts as: it costs time, which liquidjs measures between tags alone. */
const STEP_COST = 16;

type Steps = Generator<unknown, unknown, unknown>;

/**
 * The filter, its steps and its answer counted with all that is in it: liquidjs counts the items of a list, but neither what
 * they hold nor what is evaluated for each.
 */
export function metered(filter: FilterImplOptions): FilterHandler {
  const handler = typeof filter === "function" ? filter : filter.handler;
  return function* (this: FilterCall, ...values: Parameters<FilterHandler>): Steps {
    const { memoryLimit } = this.context;
    const result: unknown = handler.apply(this, values);
    const answer: unknown = isSteps(result) ? yield* counted(result, memoryLimit) : yield result;
    count(answer, memoryLimit);
    return answer;
  };
}

function isSteps(value: unknown): value is Steps {
  return typeof (value as Partial<Steps> | null | undefined)?.next === "function";
}

function counted(steps: Steps, limit: Limiter): Iterable<unknown, unknown> {
  const next = (value?: unknown) => {
    limit.use(STEP_COST);
    return steps.next(value);
  };
  const iterator = {
    next,
    return: (value: unknown) => steps.return(value),
    throw: (error: unknown) => steps.throw(error),
  };
  return { [Symbol.iterator]: () => iterator };
}

function count(value: unknown, limit: Limiter): void {
  if (typeof value === "string") limit.use(value.length);
  if (typeof value !== "object" || value === null) return;
  limit.use(OBJECT_COST);
  for (const part of Array.isArray(value) ? value : Object.values(value)) count(part, limit);
}

/**
 * Has every `(a..b)` made by `range` below. The place is where liquidjs reads one, as nothing later can tell a range
 * that counts up for ever from a short one.
 */
export function boundRanges(): void {
  const read = Tokenizer.prototype.readGroupOrRange;
  Tokenizer.prototype.readGroupOrRange = function (this: Tokenizer) {
    const token = read.call(this);
    return token?.kind === TokenKind.Range ? asFilter(token as RangeToken) : token;
  };
}

/** `(a..b)` as `a | ?range: b`. The token stays the same object, as tags ask it for its text. */
function asFilter(token: RangeToken): RangeToken {
  const filter = { name: RANGE_FILTER, args: [token.rhs] };
  const initial = new Expression([token.lhs]);
  return Object.assign(token, { kind: TokenKind.FilteredValue, initial, filters: [filter] });
}

/** The numbers from `low` to `high`. Throws at the memory limit, and where one more no longer changes a number. */
export function range(this: FilterCall, low: unknown, high: unknown): number[] {
  const first = Number(low);
  const last = Number(high);
  if (Math.max(Math.abs(first), Math.abs(last)) >= Number.MAX_SAFE_INTEGER) throw new RangeError("range too far");
  this.context.memoryLimit.use(last - first + 1);
  const numbers: number[] = [];
  for (let number = first; number < last + 1; number++) numbers.push(number);
  return numbers;
}
