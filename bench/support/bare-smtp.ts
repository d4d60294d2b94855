// A child of the bench: the SMTP library alone, which takes mails and forgets them.
import { SMTPServer } from "smtp-server";
import { answerTasks } from "./child.ts";

answerTasks(
  (): Promise<number> =>
    new Promise((resolve) => {
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ["STARTTLS"],
        disableReverseLookup: true,
        onData: (stream, _session, done) => {
          stream.resume();
          stream.on("end", () => done());
        },
      });
      server.listen(0, "127.0.0.1", () => {
        const address = server.server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    }),
);
