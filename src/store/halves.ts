// What failed together is done again by halves: where one of many fails, it ends alone after few tries, and the others stay together.

/** Of at least two. */
export function halves<One>(those: readonly One[]): [One[], One[]] {
  const middle = Math.ceil(those.length / 2);
  return [those.slice(0, middle), those.slice(middle)];
}
