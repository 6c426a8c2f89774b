-- Where a user lived before the current `timezone`: each earlier zone, followed by the first day of the next zone and the instant at which the
-- clock of the next zone applies. Null if there was no other zone. A node of an earlier version ignores it and splits all days by `timezone`.
ALTER TABLE users ADD COLUMN earlier_timezones text;
