-- A second factor for everybody, from a moment on.

alter table installation add column second_factor_from text; -- null = nobody needs one
