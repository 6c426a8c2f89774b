-- The dashboard reads the keys, dashboard users and invitations of an account as the role that sees one tenant at a time. Changes to them remain with
-- the operator role, and the schema `auth` and the hashes of links remain closed to the service.

-- Like `in_tenant`, for rows that belong to an account as a whole.
CREATE FUNCTION in_account(row_account uuid, account uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT row_account = account $$;

GRANT SELECT ON operator_roles TO tributary_service;
GRANT SELECT (id, account_id, kind, email, role, invited_by, status, created_at, expires_at) ON operator_links TO tributary_service;

CREATE POLICY own_account ON api_keys FOR SELECT TO tributary_service USING (account_id = current_account());
CREATE POLICY own_account ON operator_roles FOR SELECT TO tributary_service USING (account_id = current_account());
CREATE POLICY own_account ON operator_links FOR SELECT TO tributary_service USING (account_id = current_account());
