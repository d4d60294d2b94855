// The same with the real daemons (Debian packages rspamd and clamav-daemon), where they are installed.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { scan } from "../../src/mail/inbound/reading/scan.ts";
import { Daemon } from "../support/daemon.ts";
import { freePort } from "../support/free-port.ts";
import { LETTER, wire } from "../support/outside.ts";

const RSPAMD = Bun.which("rspamd", { PATH: "/usr/bin:/usr/sbin" });
const CLAMD = Bun.which("clamd", { PATH: "/usr/bin:/usr/sbin" });
const ENVELOPE = {
  clientAddress: "192.0.2.7",
  helo: "mx.elsewhere.test",
  sender: "ada@elsewhere.test",
  recipients: ["help@example.test"],
};
const GTUBE = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";
const EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*";

test.skipIf(!RSPAMD)(
  "rspamd tells its test for spam from a letter",
  async () => {
    await using daemon = new Daemon();
    const port = await freePort();
    // It compiles the list of all top-level domains when it starts: here that is a short one.
    const domains = daemon.file("domains", "test\nexample\n");
    const config = daemon.file(
      "rspamd.conf",
      `options { pidfile = "${daemon.folder}/pid"; url_tld = "${domains}"; filters = ""; gtube_patterns = "reject"; hs_cache_dir = "${daemon.folder}"; dns { nameserver = ["127.0.0.1:9"]; } }
     logging { type = "console"; level = "warning"; }
     actions { reject = 15; add_header = 6; greylist = 4; }
     worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }`,
    );
    daemon.start([RSPAMD ?? "", "--insecure", "-f", "-c", config]);
    await daemon.listens({ host: "127.0.0.1", port });
    const scanners = { rspamdUrl: `http://127.0.0.1:${port}`, clamdSocket: null, timeoutMs: 10_000 };
    expect((await scan(wire(LETTER), ENVELOPE, scanners)).spamVerdict).toBe("PASS");
    expect((await scan(wire(`${LETTER}\n${GTUBE}\n`), ENVELOPE, scanners)).spamVerdict).toBe("FAIL");
  },
  60_000,
);

test.skipIf(!CLAMD)(
  "clamd tells the test for viruses from a letter, and says what it does not take",
  async () => {
    await using daemon = new Daemon();
    const path = join(daemon.folder, "clamd.ctl");
    daemon.file("test.ndb", `Eicar-Test:0:*:${Buffer.from(EICAR).toString("hex")}\n`);
    const config = daemon.file(
      "clamd.conf",
      `Foreground yes\nLocalSocket ${path}\nDatabaseDirectory ${daemon.folder}\nStreamMaxLength 1M\n`,
    );
    daemon.start([CLAMD ?? "", "--config-file", config]);
    await daemon.listens({ path });
    const scanners = { rspamdUrl: null, clamdSocket: path, timeoutMs: 10_000 };
    const verdict = async (raw: Buffer) => (await scan(raw, ENVELOPE, scanners)).virusVerdict;
    expect(await verdict(wire(LETTER))).toBe("PASS");
    expect(await verdict(wire(`${LETTER}\n${EICAR}\n`))).toBe("FAIL");
    expect(await verdict(Buffer.alloc(3_000_000, "x"))).toBe("PROCESSING_FAILED");
  },
  30_000,
);
