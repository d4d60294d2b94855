// Limits that liquidjs lacks: nested lists, filters over very long lists, endless ranges.
import { Expression, type FilterImplOptions, type RangeToken, TokenKind, Tokenizer } from "liquidjs";

export type FilterHandler = Extract<FilterImplOptions, (...values: never[]) => unknown>;
export type FilterCall = ThisParameterType<FilterHandler>;
type Limiter = FilterCall["context"]["memoryLimit"];

/** The filter that replaces `(a..b)`. */
export const RANGE_FILTER = "?range";

/** The cost of a list or an object besides its content, in characters. */
const OBJECT_COST = 8;

/** The cost of a number in a range, in characters. */
const NUMBER_COST = 4;

/** Filters that compare items with each other many times. */
const SORTS = new Set(["sort", "sort_natural", "sample"]);
const COMPARISONS = 16;

type Steps = Generator<unknown, unknown, unknown>;

/**
 * Runs the steps of liquidjs, and calls `before` ahead of each. Every loop, filter and condition yields a step for each
 * item, so an error of `before` can end it anywhere, and templates cannot catch it.
 */
export function inSteps(work: unknown, before: () => void): unknown {
  if (!isSteps(work)) return work;
  let value: unknown;
  let method: "next" | "throw" = "next";
  for (;;) {
    before();
    const step: IteratorResult<unknown> = work[method](value);
    method = "next";
    try {
      value = inSteps(step.value, before);
    } catch (error) {
      method = "throw";
      value = error;
    }
    if (step.done && method === "next") return value;
  }
}

function isSteps(value: unknown): value is Steps {
  if (typeof value !== "object") return false;
  const { next, return: end, throw: fail } = (value ?? {}) as Partial<Steps>;
  return typeof next === "function" && typeof end === "function" && typeof fail === "function";
}

/** The filter with its whole answer counted: liquidjs counts the items of a list, but not their content. */
export function metered(name: string, filter: FilterImplOptions): FilterHandler {
  const handler = typeof filter === "function" ? filter : filter.handler;
  return function* (this: FilterCall, ...values: Parameters<FilterHandler>): Steps {
    const { memoryLimit } = this.context;
    if (SORTS.has(name)) count(values[0], memoryLimit, COMPARISONS);
    const answer: unknown = yield handler.apply(this, values);
    count(answer, memoryLimit);
    return answer;
  };
}

function count(value: unknown, limit: Limiter, times = 1): void {
  if (typeof value === "string") limit.use(times * value.length);
  if (typeof value !== "object" || value === null) return;
  limit.use(times * OBJECT_COST);
  if (Array.isArray(value)) limit.use(times * value.length);
  for (const part of Array.isArray(value) ? value : Object.values(value)) count(part, limit, times);
}

/**
 * Replaces every `(a..b)` by `range` below. This has to happen in liquidjs's parser, since nothing later can tell a
 * range that counts up forever from a short one.
 */
export function boundRanges(): void {
  const read = Tokenizer.prototype.readGroupOrRange;
  Tokenizer.prototype.readGroupOrRange = function (this: Tokenizer) {
    const token = read.call(this);
    return token?.kind === TokenKind.Range ? asFilter(token as RangeToken) : token;
  };
}

/** `(a..b)` as `a | ?range: b`. The token stays the same object, as tags read its text. */
function asFilter(token: RangeToken): RangeToken {
  const filter = { name: RANGE_FILTER, args: [token.rhs] };
  const initial = new Expression([token.lhs]);
  return Object.assign(token, { kind: TokenKind.FilteredValue, initial, filters: [filter] });
}

/** The numbers from `low` to `high`. Throws at the memory limit, and where adding one no longer changes a number. */
export function range(this: FilterCall, low: unknown, high: unknown): number[] {
  const first = Number(low);
  const last = Number(high);
  if (Math.max(Math.abs(first), Math.abs(last)) >= Number.MAX_SAFE_INTEGER) throw new RangeError("range too far");
  this.context.memoryLimit.use(NUMBER_COST * (last - first + 1));
  const numbers: number[] = [];
  for (let number = first; number < last + 1; number++) numbers.push(number);
  return numbers;
}
