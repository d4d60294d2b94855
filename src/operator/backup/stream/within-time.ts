// Waits for work that may hang, but only for a limited time.

/** @throws Error if `work` is not done within `ms`; as `work` throws */
export async function withinTime<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`There was no answer within ${ms / 1000} seconds.`)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
