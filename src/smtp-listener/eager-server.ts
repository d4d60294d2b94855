// The library's server without its wait: it greets a new connection only after 100 ms, to catch senders of spam who talk first.
import { SMTPServer } from "smtp-server";
import { SMTPConnection } from "smtp-server/lib/smtp-connection";

/** For clients that log in: many of them open a connection for each mail. */
export class EagerServer extends SMTPServer {
  override connect(...[socket, options]: Parameters<SMTPServer["connect"]>): void {
    const connection = new SMTPConnection(this, socket, options);
    this.connections.add(connection);
    connection.on("error", (error) => this.emit("error", error));
    connection.init();
    const greet = connection.connectionReady.bind(connection);
    // What the library's own timer calls later on.
    connection.connectionReady = () => {};
    greet();
  }
}
