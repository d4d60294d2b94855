// The call that makes a first webhook: a workflow that tells another server who has signed up.
export const FIRST_WEBHOOK = {
  method: "POST",
  path: "/workflows",
  body: {
    name: "After a sign-up",
    eventName: "signup",
    enabled: true,
    steps: [{ type: "WEBHOOK", name: "Tell the shop", config: { url: "https://shop.example.com/hooks/posthorn" } }],
  },
} as const;
