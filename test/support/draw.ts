// Preloaded in all tests (bunfig.toml): with POSTHORN_TEST_DRAW=0.999 each random draw is that number, so what happens
// one time in a hundred happens each time. Ids, keys and secrets come from crypto and stay as they are.
const words = process.env["POSTHORN_TEST_DRAW"];

if (words !== undefined) {
  const draw = Number(words);
  if (!(draw >= 0 && draw < 1)) throw new Error(`POSTHORN_TEST_DRAW is from 0 up to 1, not ${words}.`);
  Math.random = () => draw;
}
