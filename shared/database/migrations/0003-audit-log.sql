-- The audit log: who did what, from where, and with which outcome. Entries are added and never changed.
CREATE TABLE shared.audit_log (
  id uuid PRIMARY KEY,
  -- By the clock of the database, whatever the program says: see the trigger.
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind ~ '^[A-Z_]{1,40}$'),
  actor_id text NOT NULL CHECK (length(actor_id) BETWEEN 1 AND 200),
  -- The e-mail of an operator; null where the id says enough.
  actor_name text CHECK (length(actor_name) <= 320),
  -- The key or session by which the actor was known.
  credential_id text NOT NULL CHECK (length(credential_id) <= 200),
  -- An address, or `cli:<user>@<machine>`.
  source text NOT NULL CHECK (length(source) <= 200),
  request_id text NOT NULL CHECK (length(request_id) <= 200),
  -- The name of the mutation, or of the command.
  action text NOT NULL CHECK (action ~ '^[a-z][A-Za-z0-9]{0,99}$'),
  subject_type text CHECK (subject_type ~ '^[a-z][A-Za-z0-9]{0,99}$'),
  subject_id text CHECK (length(subject_id) <= 400),
  outcome text NOT NULL CHECK (outcome IN ('DONE', 'REFUSED', 'FAILED')),
  -- More than one for what came so often that it was counted.
  occurrences integer NOT NULL DEFAULT 1 CHECK (occurrences > 0),
  before jsonb,
  after jsonb,
  -- Why it was refused, or how it failed.
  reason text CHECK (length(reason) <= 1000),
  CHECK ((subject_type IS NULL) = (subject_id IS NULL)),
  CHECK (pg_column_size(before) <= 65536 AND pg_column_size(after) <= 65536)
);
CREATE INDEX audit_log_at ON shared.audit_log (at, id);
CREATE INDEX audit_log_actor ON shared.audit_log (actor_id, at, id);
CREATE INDEX audit_log_action ON shared.audit_log (action, at, id);
CREATE INDEX audit_log_subject ON shared.audit_log (subject_id, at, id) WHERE subject_id IS NOT NULL;

CREATE FUNCTION shared.stamp_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE FUNCTION shared.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Entries of the audit log are neither changed nor deleted' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_stamp BEFORE INSERT ON shared.audit_log
  FOR EACH ROW EXECUTE FUNCTION shared.stamp_audit_entry();
CREATE TRIGGER audit_log_stands BEFORE UPDATE OR DELETE OR TRUNCATE ON shared.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION shared.refuse_audit_change();
-- Always: also where a session says that it replays a replica.
ALTER TABLE shared.audit_log ENABLE ALWAYS TRIGGER audit_log_stamp;
ALTER TABLE shared.audit_log ENABLE ALWAYS TRIGGER audit_log_stands;
-- The role of the application gets SELECT and INSERT on this table and nothing else: whoever writes grants for all tables
-- takes this one out. The owner of the tables alone can take the triggers away, and that is no command of the program.
REVOKE UPDATE, DELETE, TRUNCATE ON shared.audit_log FROM PUBLIC;
