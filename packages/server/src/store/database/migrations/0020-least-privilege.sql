-- A login that is only a member of the service roles can check at startup which migrations are applied.
GRANT SELECT ON schema_migrations TO tributary_operator;
