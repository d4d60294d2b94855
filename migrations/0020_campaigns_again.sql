-- A campaign that goes again to people whom another one did not reach.

alter table campaigns add column repeats text; -- JSON: that campaign, and the states of its recipients; null = it has an audience of its own
