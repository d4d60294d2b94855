// What can be done to the drawing of a workflow, without a browser.
import { expect, test } from "bun:test";
import { placesOf } from "../../web/workflows/canvas/layout.ts";
import { inOrder, openExits, type Drawing, type DrawnStep, type StepType } from "../../web/workflows/drawing.ts";
import { change, insert, connect, canConnect, newStep, remove } from "../../web/workflows/edits.ts";

const step = (ref: string, type: StepType = "DELAY", config = {}): DrawnStep => ({ ref, type, name: ref, config });
const isPro = step("if", "CONDITION", { field: "data.plan", operator: "equals", value: "pro" });

function drawn(steps: readonly DrawnStep[], ...transitions: readonly string[]): Drawing {
  return {
    ...{ trigger: { type: "EVENT", config: { eventName: "signup" } }, reentry: "never", entryKey: null },
    steps: [step("start", "TRIGGER"), ...steps],
    transitions: transitions.map((way) => {
      const [from = "", to = "", branch = null] = way.split(" ");
      return { from, to, branch };
    }),
  };
}

const transitionsOf = ({ transitions }: Drawing) =>
  transitions.map(({ from, to, branch }) => [from, to, branch].filter(Boolean).join(" ")).sort();

test("a step that is inserted stands between what it was inserted between", () => {
  const before = drawn([step("a"), step("b")], "start a", "a b");
  expect(transitionsOf(insert(before, { from: "a", branch: null }, step("new")))).toEqual([
    "a new",
    "new b",
    "start a",
  ]);
  const last = insert(before, { from: "b", branch: null }, step("end", "EXIT"));
  expect(transitionsOf(last)).toEqual(["a b", "b end", "start a"]);
  expect(transitionsOf(insert(before, { from: "a", branch: null }, step("end", "EXIT")))).toEqual(["a end", "start a"]);
});

test("a condition that is inserted leads on by its first branch, and its other one is open", () => {
  const after = insert(drawn([step("a")], "start a"), { from: "start", branch: null }, isPro);
  expect(transitionsOf(after)).toEqual(["if a yes", "start if"]);
  expect(openExits(after)).toEqual([
    { from: "a", branch: null },
    { from: "if", branch: "no" },
  ]);
});

test("who came to a step that is removed goes where it led, if that was one place", () => {
  expect(transitionsOf(remove(drawn([step("a"), step("b")], "start a", "a b"), "a"))).toEqual(["start b"]);
  const forked = drawn([isPro, step("a"), step("b")], "start if", "if a yes", "if b no");
  expect(transitionsOf(remove(forked, "if"))).toEqual([]);
  expect(transitionsOf(remove(drawn([isPro, step("a")], "start if", "if a yes", "if a no"), "if"))).toEqual([
    "start a",
  ]);
});

test("a way for all branches comes apart when one of them leads elsewhere", () => {
  const before = drawn([isPro, step("a"), step("b")], "start if", "if a");
  expect(transitionsOf(connect(before, { from: "if", branch: "no" }, "b"))).toEqual([
    "if a yes",
    "if b no",
    "start if",
  ]);
  expect(transitionsOf(connect(before, { from: "if", branch: "no" }, null))).toEqual(["if a yes", "start if"]);
});

test("a step that asks a condition in place of several branches is left by yes or no", () => {
  const branches = [{ id: "b", operator: "exists" }];
  const before = drawn([step("if", "CONDITION", { mode: "multi", field: "data.a", branches }), step("a")], "if a b");
  const condition = { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "exists" }] }] };
  const after = change(before, "if", { config: { condition } });
  expect(transitionsOf(after)).toEqual([]);
  expect(openExits(after).flatMap(({ from, branch }) => (from === "if" ? [branch] : []))).toEqual(["yes", "no"]);
});

test("nothing leads to the trigger, or in a circle", () => {
  const chain = drawn([step("a"), step("b")], "start a", "a b");
  expect([canConnect(chain, "b", "a"), canConnect(chain, "a", "a"), canConnect(chain, "b", "start")]).toEqual([
    ...[false, false, false],
  ]);
  expect(canConnect(chain, "start", "b")).toBe(true);
});

test("transitions by branches that a step no longer has go with them", () => {
  const forked = drawn([isPro, step("a"), step("b")], "start if", "if a yes", "if b no");
  const multi = { mode: "multi", field: "data.plan", branches: [{ id: "gold", operator: "equals", value: "gold" }] };
  expect(transitionsOf(change(forked, "if", { config: multi }))).toEqual(["start if"]);
  expect(transitionsOf(change(forked, "if", { name: "Other" }))).toEqual(["if a yes", "if b no", "start if"]);
});

test("steps are told after those that lead to them, and what nothing leads to at the end", () => {
  const joined = drawn(
    [step("lost"), step("join"), step("b"), step("a"), isPro],
    ...["start if", "if a yes", "if b no", "a join", "b join"],
  );
  expect(inOrder(joined).map(({ ref }) => ref)).toEqual(["start", "if", "a", "b", "join", "lost"]);
});

test("new steps have refs of their own", () => {
  const [one, other] = [newStep({ type: "EXIT", name: "End" }), newStep({ type: "EXIT", name: "End" })];
  expect(one.ref).not.toBe(other.ref);
});

test("on the canvas the first branch is on the left, whichever step was made first", () => {
  const wait = step("wait", "WAIT_FOR_EVENT", { eventName: "paid", timeout: 60 });
  const places = placesOf(
    drawn(
      [wait, step("late"), step("paid"), isPro, step("pro")],
      ...["start wait", "wait late timeout", "wait paid event", "late if", "if pro yes"],
    ),
  );
  const x = (ref: string) => (places.get(ref) as { readonly x: number }).x;
  expect(x("paid")).toBeLessThan(x("late"));
  expect(x("pro")).toBeLessThan(x("end if no"));
  // Nothing crosses: what follows the second branch is right of the first.
  expect(x("if")).toBeGreaterThan(x("paid"));
});
