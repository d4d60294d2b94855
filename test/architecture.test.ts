// Holds what ARCHITECTURE.md promises: one direction of imports, and the few files that may do what others may not.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/**
 * The folders of `src/`, ground first, and their rooms by floors. What shares a floor does not import each other. The
 * store and the frame of requests are a district and its one room.
 */
const DISTRICTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  base: [
    [
      "clock",
      "edit-distance",
      "errors",
      "ids",
      "addresses",
      "ip-addresses",
      "link-bases",
      "languages",
      "text-files",
      "private-files",
      "roles",
      "licenses",
      "service",
      "fonts",
      "metrics",
      "zip",
    ],
    ["labels", "log", "secrets", "moments", "version", "config", "brakes"],
    ["dns", "jobs"],
    ["certificates"],
  ],
  store: [["store"]],
  ground: [["way-tokens"], ["ways", "smtp-listener", "microsoft-graph"], ["settings"], ["ground"]],
  http: [["http"]],
  tenant: [["events"], ["access"], ["domains"], ["workspaces"]],
  audience: [["comparisons", "consent"], ["topics", "suppressions"], ["contacts"], ["segments", "activity", "csv"]],
  content: [["images", "mime", "pages"], ["templates"], ["rendering"]],
  mail: [["statistics", "reports", "verify"], ["emails"], ["inbound", "smtp"], ["providers"]],
  sending: [["carrier"], ["open-ways"], ["warmup"], ["delivery"]],
  programs: [
    ["webhooks", "campaigns", "forms"],
    ["workflows", "compat", "preferences"],
  ],
  operator: [
    ["backup", "retention", "hosts", "watch", "team"],
    ["installation", "operation"],
    ["alerts", "leaving"],
  ],
  desk: [["search", "views", "face", "notes", "files", "moving"], ["overview", "people"], ["bulk"]],
  whole: [["tables"], ["server"], ["demo"], ["cli"], ["main"], ["begin"]],
};
const FLOORS = Object.values(DISTRICTS).flat();

const FILES = (readdirSync("src", { recursive: true }) as string[]).filter((file) => /\.ts$/.test(file)).sort();
/** Without their district: each room's name is in one. */
const SOURCES = FILES.map(withoutDistrict);
const text = new Map(FILES.map((file) => [withoutDistrict(file), readFileSync(join("src", file), "utf8")]));
const rooms = new Map(FILES.map((file) => [withoutDistrict(file), file]));

function withoutDistrict(file: string): string {
  const [district = "", ...rest] = file.split("/");
  const rooms = DISTRICTS[district]?.flat() ?? [];
  return rooms.length === 1 && rooms[0] === district ? file : rest.join("/");
}

function roomOf(file: string): string {
  return (file.split("/")[0] as string).replace(/(\.d)?\.ts$/, "");
}

function floorOf(file: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));
}

function importsOf(file: string): string[] {
  const source = text.get(file) as string;
  return [...importsIn(source), ...[...source.matchAll(/\bimport\("(\..+?)"\)/g)].map((match) => match[1] as string)];
}

function importsIn(source: string): string[] {
  return [...source.matchAll(/^(?:import|export)\b[^;]*?\bfrom "(.+?)"/gms)].map((match) => match[1] as string);
}

/** The files of ours that a file imports. */
function targetsOf(file: string): string[] {
  const inSrc = rooms.get(file) as string;
  return besides(inSrc, importsOf(file)).map((target) => (target.startsWith("..") ? target : withoutDistrict(target)));
}

function besides(file: string, paths: readonly string[]): string[] {
  return paths.filter((path) => path.startsWith(".")).map((path) => normalize(join(dirname(file), path)));
}

function filesWith(pattern: RegExp): string[] {
  return SOURCES.filter((file) => pattern.test(withoutComments(text.get(file) as string)));
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "");
}

test("every file is in a room of a district", () => {
  expect(SOURCES.filter((file) => floorOf(file) === -1)).toEqual([]);
  const all = FLOORS.flat();
  expect(all.length).toBe(new Set(all).size);
  expect([...new Set(FILES.map((file) => file.split("/")[0]))].toSorted()).toEqual(Object.keys(DISTRICTS).toSorted());
});

test("nobody imports upward or across a floor, types included (slow)", () => {
  const upward = SOURCES.flatMap((file) =>
    targetsOf(file)
      .filter(
        (target) => SOURCES.includes(target) && roomOf(target) !== roomOf(file) && floorOf(target) >= floorOf(file),
      )
      .map((target) => `${file} -> ${target}`),
  );
  expect(upward).toEqual([]);
});

/**
 * The folders of large rooms, ground first; "." are the files beside them that have no place of their own. Folders on
 * one line do not know each other. `room.ts` opens the room, so it may import all of them.
 */
const INNER_ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  languages: [["language.ts"], ["translations"], ["."]],
  store: [["."], ["engine"], ["sqlite", "postgres"], ["open.ts", "copy"], ["space.ts"]],
  http: [["schemas.ts"], ["body"], ["."], ["guide"], ["docs"]],
  mime: [["plain-text"], ["."]],
  templates: [["liquid"], ["design"], ["written-shape.ts"], ["written.ts"], ["versions", "brand", "blocks"], ["."]],
  domains: [["spf-term.ts"], ["dns-records.ts"], ["dns-check"], ["."]],
  contacts: [
    ["data.ts"],
    ["queries.ts"],
    ["search", "past"],
    ["."],
    ["sign-up", "list"],
    ["change.ts", "track.ts"],
    ["routes.ts"],
  ],
  csv: [["."], ["workbook"], ["packed"]],
  segments: [["condition"], ["queries.ts"], ["references.ts"], ["membership"], ["."]],
  emails: [
    ["refusals", "health"],
    ["content", "shape.ts"],
    ["queue", "pruning"],
    ["queries.ts"],
    ["soft-bounces", "door"],
    ["."],
    ["send", "list", "feedback"],
    ["actions"],
    ["retry", "scheduled", "routes.ts", "tables.ts"],
  ],
  inbound: [["reading"], ["bounces"], ["."], ["ses", "mailbox"]],
  reports: [["reading"], ["."]],
  carrier: [["signing"], ["transport", "message"], ["smtp", "ses", "tracking"], ["."]],
  "open-ways": [["health"], ["."]],
  delivery: [["limits"], ["pace"], ["."], ["queue"]],
  certificates: [["der.ts"], ["self-signed.ts"], ["read.ts"], ["source.ts"], ["acme"], ["state.ts"]],
  webhooks: [["sending"], ["formats"], ["endpoints"], ["."]],
  compat: [["."], ["mailgun", "postmark", "resend", "sendgrid"], ["dialects.ts"]],
  bulk: [["terms.ts", "imported.ts"], ["jobs"], ["duplicates", "imports"], ["."]],
  campaigns: [["queries.ts"], ["recipients"], ["."], ["forecast", "run", "account"]],
  workflows: [["definition"], ["webhook"], ["execution"], ["."]],
  "workflows/definition": [
    ["definition.ts"],
    ["texts.ts"],
    ["steps"],
    ["."],
    ["advice"],
    ["routes.ts", "drawing-routes.ts"],
  ],
  "workflows/execution": [
    ["steps", "unstarted"],
    ["."],
    ["retry"],
    ["counts"],
    ["simulation", "routes.ts", "list-routes.ts"],
  ],
  team: [
    ["passkeys", "codes", "audit", "identities"],
    ["queries.ts"],
    ["people-queries.ts", "invitation-queries.ts"],
    ["session"],
    ["user.ts"],
    ["notices"],
    ["invitations"],
    ["member.ts", "sign-in.ts"],
    ["oidc"],
    ["."],
    ["account"],
  ],
  operation: [["figure-queries.ts"], ["needs"], ["."], ["doctor"]],
  backup: [["."], ["stream"]],
  people: [["merging"], [".", "duplicates"]],
  moving: [["fields.ts"], ["calls.ts"], ["source.ts"], ["lists.ts"], ["sources"], ["products.ts"], ["."]],
  face: [["letters"], ["."]],
  cli: [["."], ["domains", "ways", "queue", "stores", "state", "sendmail", "files", "moving"], ["workspaces", "serve"]],
};

test.each(Object.entries(INNER_ROOMS))("folders of %s import in one direction", (room, floors) => {
  const isIn = (file: string) => file.startsWith(`${room}/`);
  /** "." = beside the folders, and not named itself. */
  const folderIn = (file: string) => {
    const [first = "", ...rest] = file.slice(room.length + 1).split("/");
    return rest.length > 0 || floors.flat().includes(first) ? first : ".";
  };
  const floorIn = (file: string) => floors.findIndex((folders) => folders.includes(folderIn(file)));
  const files = SOURCES.filter(isIn);
  const upward = files
    .filter((file) => file !== `${room}/room.ts`)
    .flatMap((file) => targetsOf(file).map((target) => [file, target] as const))
    .filter(([file, target]) => isIn(target) && folderIn(target) !== folderIn(file))
    .filter(([file, target]) => floorIn(target) >= floorIn(file))
    .map((pair) => pair.join(" -> "));
  expect(upward).toEqual([]);
  expect(files.filter((file) => floorIn(file) === -1)).toEqual([]);
});

test("the folders of every room are in it", () => {
  const withFolders = SOURCES.filter((file) => file.split("/").length > 2).map(roomOf);
  expect([...new Set(withFolders)].filter((room) => !(room in INNER_ROOMS))).toEqual([]);
});

test("a folder has at most twenty files beside its folders", () => {
  const folders = Map.groupBy(FILES, (file) => dirname(file));
  expect([...folders].flatMap(([folder, files]) => (files.length > 20 ? `${folder}: ${files.length}` : []))).toEqual(
    [],
  );
});

test("no file is in a circle of imports", () => {
  expect(circlesIn(SOURCES, targetsOf)).toEqual([]);
});

function circlesIn(files: readonly string[], imported: (file: string) => readonly string[]): readonly string[] {
  const [known, done, circles] = [new Set(files), new Set<string>(), [] as string[]];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) return void circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (done.has(file) || !known.has(file)) return;
    for (const target of imported(file)) visit(target, [...path, file]);
    done.add(file);
  };
  files.forEach((file) => visit(file, []));
  return circles;
}

/**
 * Types that are exported and declared again, or declared in more than three files: each name is to say what the thing
 * is.
 */
function sharedNames(sources: readonly string[]): readonly string[] {
  const declared = sources.flatMap((source) => [
    ...source.matchAll(/^(export )?(?:declare )?(?:abstract )?(?:type|interface|class) (\w+)\b/gm),
  ]);
  const byName = Map.groupBy(declared, ([, , name]) => name as string);
  return [...byName].flatMap(([name, all]) => {
    const isExported = all.some(([, exported]) => exported !== undefined);
    return all.length > (isExported ? 1 : name.endsWith("Props") ? Infinity : 3) ? [name] : [];
  });
}

test("a type that others import is declared once, and no other in more than three files", () => {
  expect(sharedNames([...text.values()])).toEqual([]);
});

/** Each stood for many things: a function is named by what it does or answers. */
const NO_FUNCTIONS = /^(asked|said|refused|taken|shown|opened)$/;

test("no name of a function stands for ten things", () => {
  const declared = [...text.values()].flatMap((source) => [
    ...source.matchAll(/^\s*(?:export )?(?:async )?(?:function\*? (\w+)|const (\w+) = (?:async )?\([^)]*\)[^=;]*=>)/gm),
  ]);
  const byName = Map.groupBy(declared, ([, statement, expression]) => statement ?? expression);
  expect([...byName].flatMap(([name, all]) => (all.length < 10 ? [] : [name]))).toEqual([]);
  expect(declared.filter(([, statement = ""]) => NO_FUNCTIONS.test(statement)).map(([line]) => line.trim())).toEqual(
    [],
  );
});

/** Participles and words that point: they say how a thing was come by, and not what it is. */
const NO_TYPES =
  /^(Asked|Found|Shown|Said|Wanted|Named|Place|Answer|Terms|Kind|What|Whose|Whom|Told|Kept|Given|Known|Taken|Seen|Sent|Done|Held|Left|Made|Look|Looked|Listed|Opened|Refused|Standing)$/;

/** The same by their form, and nouns that only look like participles. */
const PARTICIPLE = /(ed|ing)$/;
const PREPOSITION = /^(Of|By|At|In|With|To|From|No|How|Any)([A-Z]|$)/;
const NOUNS = /(Drawing|Encoding|Feed|Finding|Grouping|Mapping|Need|Setting|Spacing|Tracking|Warning|Wording)$/;

test.each(["src", "web"])("a noun is the name of each type in %s", (folder) => {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file));
  const names = files.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), "utf8").matchAll(
        /^(?:export )?(?:abstract )?(?:type|interface|class) (\w+)\b/gm,
      ),
    ].map(([, name]) => name as string),
  );
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name) => NO_TYPES.test(name))).toEqual([]);
  expect(names.filter((name) => PREPOSITION.test(name))).toEqual([]);
  expect(names.filter((name) => PARTICIPLE.test(name) && !NOUNS.test(name))).toEqual([]);
});

/** A megabyte of code and tables for something that happens on other threads. */
test("the main thread does not load the parser of mails", () => {
  const loaded = new Set<string>(["main.ts"]);
  for (const file of loaded) {
    const source = (text.get(file) as string).replace(/^(import|export) type\b[^;]*;/gm, "");
    expect([file, source]).not.toEqual([file, expect.stringMatching(/from "mailparser"/)]);
    const paths = [...source.matchAll(/\bfrom "(\..+?\.ts)"/g)].map(([, path]) => path as string);
    for (const target of besides(rooms.get(file) as string, paths)) loaded.add(withoutDistrict(target));
  }
  expect(loaded.size).toBeGreaterThan(300);
});

const MAY: readonly [what: string, pattern: RegExp, who: RegExp][] = [
  [
    "import elysia",
    /from "elysia"/,
    /^(ground|server|http\/.*|events\/catalog|access\/(auth|route-table)|.*\/(.*-)?(routes|record|shape))\.ts$/,
  ],
  ["open SQLite", /from "bun:sqlite"/, /^store\/(sqlite.*|copy\/sqlite-.*|migrations)\.ts$/],
  [
    "write SQL",
    /`\s*(select|insert into|update|delete from)\s/i,
    /^(.*\/([a-z]+-)?queries|events\/.*|store\/.*|segments\/condition\/condition)\.ts$/,
  ],
  ["ask the time", /\bDate\.now\(|new Date\(\)|performance\.now\(/, /^clock\.ts$/],
  ["read the environment", /process\.env(?!\.NODE_ENV": ')|Bun\.env/, /^config\.ts$/],
  [
    "make or remove contacts or turn their flag, as the counts are kept with that",
    /insert into contacts\b|insertion\(\s*"contacts"|delete from contacts\b|update contacts\s+set (?:(?!\bwhere\b)[^`])*\bsubscribed\b/,
    /^contacts\/(change|removal)-queries\.ts$/,
  ],
  ["insert events", /insert into events|insertion\(\s*"events"/, /^events\/emit\.ts$/],
  ["let outgoing mails in", /\b(insertEmail|postEmail|insertRepeat)\(/, /^emails\/(accept|insert-queries)\.ts$/],
  [
    "change a mail's state",
    /\b(setEachSent|setFailed|setBounced|setQueuedAgain|setUntried|setParked|setHeld|deleteQueued|deleteClaimed|setDelivered|setReturned|setUndelivered|setComplained)\(/,
    /^emails\/(\w[\w-]*\/)?(email|cancel|feedback|(cancel|campaign|feedback|outcome)-queries)\.ts$/,
  ],
];

test.each(MAY)("only those named may %s", (_, pattern, who) => {
  const found = filesWith(pattern);
  expect(found.filter((file) => !who.test(file))).toEqual([]);
  expect(found.length).toBeGreaterThan(0);
});

test("what is remembered between requests reads no table that they write to all day", () => {
  const [, alternatives = ""] = /insert into \(\?:([a-z_|]+)\)/.exec(text.get("store/sqlite/tx.ts") as string) ?? [];
  const records = new RegExp(`\\b(?:from|join) (?:${alternatives})\\b`);
  const bodies = new Map(
    [...text.values()].flatMap((source) =>
      [...source.matchAll(/^export (?:async )?function (\w+)\b.*?^\}/gms)].map(([body, name]) => [
        name as string,
        body,
      ]),
    ),
  );
  const reads = new Map<string, string>();
  const follow = (source: string) => {
    for (const [, name = ""] of source.matchAll(/\b(\w+)\(/g)) {
      const body = bodies.get(name);
      if (!body || reads.has(name)) continue;
      reads.set(name, body);
      follow(body);
    }
  };
  // A finder may stand there by its name alone.
  for (const source of text.values())
    for (const [call] of source.matchAll(/= remembered\([^]*?\);\n/g)) follow(call.replaceAll(/\b(\w+)\b/g, "$1()"));
  expect([...reads.keys()]).toContain("rulesForContacts");
  expect([...reads].filter(([, body]) => records.test(body)).map(([name]) => name)).toEqual([]);
});

test("only emails/queue/holds.ts knows how lanes and holds are stored", () => {
  const bare = /\blane\b\s*(?:[-+%=<>!]+|in|between|:)\s*\(?\s*\d|(?<!\w)hold (?:= '|= null|in \(|is (?:not )?null)/;
  expect(filesWith(bare).filter((file) => file !== "emails/queue/holds.ts")).toEqual([]);
});

test("every file says at its top what lives there", () => {
  expect(SOURCES.filter((file) => !/^\/\/ \S|^declare module/.test(text.get(file) as string))).toEqual([]);
});

test("every page that a comment names is in the repository", () => {
  const comments = [...text.values()].flatMap((source) => source.match(/(?:\/\/|\*) .*\.md\b/g) ?? []);
  const named = comments.flatMap((comment) => comment.match(/[\w/-]+\.md\b/g) ?? []);
  expect(named.filter((page) => !existsSync(page))).toEqual([]);
  expect(named).toContain("docs/api.md");
});

test("each district has a page of at most 40 lines, and every file that it names is there", () => {
  const pages = Object.keys(DISTRICTS).map((district) => [`src/${district}`, `src/${district}/README.md`] as const);
  for (const [folder, page] of pages) {
    const lines = readFileSync(page, "utf8").trimEnd().split("\n");
    expect([page, lines.length <= 40]).toEqual([page, true]);
    const named = lines.join("\n").matchAll(/(?<![\w/.-])((?:\.\.\/)*[\w-]+(?:\/[\w.-]+)*(?:\.ts|\/))(?![\w/*{])/g);
    const missing = [...named].map(([, path]) => path as string).filter((path) => !isThere(folder, path));
    expect([page, missing]).toEqual([page, []]);
  }
});

/** In the district, in one of its rooms, or in a folder of them. */
function isThere(folder: string, path: string): boolean {
  return (
    existsSync(join(folder, path)) ||
    FILES.some((file) => `src/${file}`.startsWith(`${folder}/`) && `/${file}`.includes(`/${path}`))
  );
}

test("files stay small", () => {
  const lines = (file: string) => (text.get(file) as string).split("\n").length;
  expect(SOURCES.filter((file) => lines(file) > 300)).toEqual([]);
});

test("there are no barrels, default exports or drawers for everything", () => {
  expect(filesWith(/^export default|^export \* from/m)).toEqual([]);
  expect(SOURCES.filter((file) => /(utils?|helpers?|types|service|manager|index)\.ts$/.test(file))).toEqual([]);
});

describe("the face, web/,", () => {
  const files = (readdirSync("web", { recursive: true }) as string[]).filter((file) => /\.(tsx?|css)$/.test(file));
  const written = files.filter((file) => file !== "api.gen.ts");
  const source = (file: string) => readFileSync(join("web", file), "utf8");

  test("imports nothing of src/, and is imported by nothing there", () => {
    const outside = written.filter((file) =>
      [...source(file).matchAll(/(?:from|import\() ?"(\..+?)"/g)].some(([, path]) =>
        normalize(join(dirname(file), path as string)).startsWith(".."),
      ),
    );
    expect(outside).toEqual([]);
    expect(SOURCES.filter((file) => importsOf(file).some((path) => path.includes("web/")))).toEqual([]);
  });

  test("has no circle of imports", () => {
    const lazily = (file: string) =>
      [...source(file).matchAll(/\bimport\(\s*"(\..+?)"\s*\)/g)].map(([, path]) => path as string);
    expect(circlesIn(written, (file) => besides(file, [...importsIn(source(file)), ...lazily(file)]))).toEqual([]);
  });

  /** What all screens are made of. */
  const GROUND = /^(base|calls|parts|styles|texts)\//;
  const imports = written.flatMap((file) =>
    besides(file, importsIn(source(file))).map((target) => [file, target] as const),
  );

  test("keeps what all screens are made of free of any screen", () => {
    const isGround = (file: string) => GROUND.test(file);
    const screens = imports.filter(([, target]) => target.includes("/") && !isGround(target));
    expect(screens.filter(([file]) => isGround(file))).toEqual([]);
  });

  test("has no two folders beside each other that import each other, routes and calls aside", () => {
    const arrows = imports
      .filter(([file, target]) => !/(^|\/)routes?\.ts$/.test(file) && !/(^|\/)calls\.ts$/.test(target))
      .flatMap(([file, target]) => {
        const [here, there] = [file.split("/"), target.split("/")];
        const fork = here.findIndex((part, at) => part !== there[at]);
        const isOfFolders = fork < here.length - 1 && fork < there.length - 1;
        const folders = [here, there].map((path) => path.slice(0, fork + 1).join("/"));
        return isOfFolders && !(GROUND.test(file) && GROUND.test(target)) ? [folders.join(" -> ")] : [];
      });
    const known = new Set(arrows);
    const back = (arrow: string) => arrow.split(" -> ").toReversed().join(" -> ");
    expect(known.size).toBeGreaterThan(100);
    expect([...known].filter((arrow) => known.has(back(arrow)))).toEqual([]);
  });

  test("has at most twenty files in a folder, texts of areas aside", () => {
    const folders = Map.groupBy(written, (file) => dirname(file));
    const large = [...folders].flatMap(([folder, files]) => (files.length > 20 ? `${folder}: ${files.length}` : []));
    expect(large.filter((folder) => !folder.startsWith("texts/"))).toEqual([]);
  });

  test("declares a type that others import once, and no other in more than three files", () => {
    expect(sharedNames(written.map(source))).toEqual([]);
  });

  test("has small files, each with what lives there at its top", () => {
    expect(written.filter((file) => source(file).split("\n").length > 250)).toEqual([]);
    expect(written.filter((file) => !/^(\/\/|\/\*) \S/.test(source(file)))).toEqual([]);
  });

  test("makes no HTML of texts", () => {
    expect(written.filter((file) => /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/.test(source(file)))).toEqual(
      [],
    );
  });

  test("loads every sheet once: with the page by face.css, or with a screen that imports it", () => {
    const named = [...source("face.css").matchAll(/@import "\.\/(.+)"/g)].map(([, path]) => path as string);
    const withScreens = files.flatMap((file) =>
      [...source(file).matchAll(/^import "\.\/(.+\.css)"/gm)].map(([, path]) => join(dirname(file), path as string)),
    );
    const sheets = files.filter((file) => file.endsWith(".css") && file !== "face.css");
    expect([...named, ...withScreens].toSorted()).toEqual(sheets.toSorted());
  });
});

test("the client, client/, imports nothing but itself, and has small files, each with what lives there at its top", () => {
  const files = readdirSync("client/src").filter((file) => !file.endsWith(".gen.ts"));
  const source = (file: string) => readFileSync(join("client/src", file), "utf8");
  expect(files.flatMap((file) => importsIn(source(file))).filter((path) => !/^\.\/[\w.]+\.ts$/.test(path))).toEqual([]);
  expect(files.filter((file) => !/^\/\/ \S/.test(source(file)) || source(file).split("\n").length > 160)).toEqual([]);
});

test("a file of routes fits into one look", () => {
  const lines = (file: string) => (text.get(file) as string).split("\n").length;
  expect(SOURCES.filter((file) => /routes\.ts$/.test(file) && lines(file) > 250)).toEqual([]);
});
