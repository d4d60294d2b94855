// One connection to the door for email from outside: everything is said at once, and each line that comes back is held
// to the form of replies.
import { connect } from "node:net";

const LONGEST_MS = 20_000;
const REPLIES = /^(?:\d{3}(?:[ -][^\r\n]*)?\r\n)*$/;

/** @throws Error if what comes back is no reply, or nobody hangs up */
export async function talk(port: number, said: Buffer): Promise<void> {
  const heard = await conversation(port, said);
  if (!REPLIES.test(heard) || !heard.startsWith("220"))
    throw new Error(`The server said ${JSON.stringify(heard.slice(0, 500))}`);
}

function conversation(port: number, said: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port });
    let heard = "";
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`Nobody hung up; heard ${JSON.stringify(heard)}`));
    }, LONGEST_MS);
    const end = () => {
      clearTimeout(late);
      resolve(heard);
    };
    socket
      .on("data", (chunk) => (heard += chunk.toString("latin1")))
      .on("close", end)
      .on("error", () => {});
    socket.once("data", () => socket.end(said));
  });
}
