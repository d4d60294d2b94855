// Preloaded in all tests (bunfig.toml): a password is hashed with a thousandth of the work. Bun compares it with the
// work that its hash names.
const { hash } = Bun.password;

/** 64 KB, once. */
const LITTLE = { memoryCost: 64, timeCost: 1 } as const;

Bun.password.hash = (password, options) =>
  typeof options === "object" && options.algorithm !== "bcrypt"
    ? hash(password, { ...options, ...LITTLE })
    : hash(password, options);
