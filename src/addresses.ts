export * from "./emails/address.ts";
