// Answers that many share, none of them older than the question.
import { expect, test } from "bun:test";
import { SharedAnswers } from "../../src/base/brakes/shared-answers.ts";

/** Answers wait until they are released, and are numbered as they were asked for. */
function slow() {
  const shared = new SharedAnswers<number>();
  const asked: PromiseWithResolvers<number>[] = [];
  const get = (question = "who") =>
    shared.get(question, () => {
      const one = Promise.withResolvers<number>();
      asked.push(one);
      return one.promise;
    });
  return { asked, get, answer: (number: number) => asked[number]?.resolve(number) };
}

test("who asks while an answer is on its way gets the next one, together with the others", async () => {
  const { asked, get, answer } = slow();
  const first = get();
  const others = [get(), get(), get()];
  expect(asked.length).toBe(1);
  answer(0);
  expect(await first).toBe(0);
  await Bun.sleep(0);
  const late = get();
  expect(asked.length).toBe(2);
  answer(1);
  expect(await Promise.all(others)).toEqual([1, 1, 1]);
  await Bun.sleep(0);
  answer(2);
  expect(await late).toBe(2);
});

test("other questions are asked at once, and a fault is only of those who waited for it", async () => {
  const { asked, get, answer } = slow();
  const [first, other] = [get(), get("else")];
  const next = get();
  asked[0]?.reject(new Error("away"));
  expect(await first.catch((error: Error) => error.message)).toBe("away");
  answer(1);
  expect(await other).toBe(1);
  await Bun.sleep(0);
  answer(2);
  expect(await next).toBe(2);
});
