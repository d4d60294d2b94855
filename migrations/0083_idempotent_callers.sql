-- Who made the request under an idempotency key, since its answer is repeated to nobody else. Null = a version before this one made it.
alter table idempotency_keys add column caller text;
