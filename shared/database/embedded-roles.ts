import { createHmac } from 'node:crypto';
import pg from 'pg';

/** The URLs of one database: for the program's role, and for the owner of its schemas. */
export interface DatabaseUrls {
  readonly url: string;
  /** For migrations; undefined when the program's role also migrates. */
  readonly ownerUrl: string | undefined;
}

const applicationRole = 'lastro_app';
const ownerRole = 'lastro_owner';

// An arbitrary number that nothing else locks: a command and the program may start on one server at the same moment.
const rolesLock = 7_261_536_171;

/** Creates or corrects both roles; changes nothing if they are as required. */
const roles = (passwordOf: (role: string) => string) =>
  [applicationRole, ownerRole].map(
    (role) => `
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
    CREATE ROLE ${role};
  END IF;
  IF NOT EXISTS (SELECT FROM pg_authid WHERE rolname = '${role}' AND rolcanlogin AND rolpassword IS NOT NULL
      AND NOT (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)) THEN
    ALTER ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${passwordOf(role)}';
  END IF;`,
  );

/** Transfers everything outside of PostgreSQL's own schemas and of extensions to the owner role. */
const ownership = `
  FOR statement IN
    SELECT format('ALTER SCHEMA %I OWNER TO ${ownerRole}', nspname) FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public') AND nspowner <> owner
    UNION ALL
    SELECT format('ALTER TABLE %s OWNER TO ${ownerRole}', c.oid::regclass) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND relowner <> owner
      -- A sequence of a column follows its table.
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND (d.deptype = 'e' OR (relkind = 'S' AND d.deptype IN ('a', 'i'))))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO ${ownerRole}', p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND proowner <> owner
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO ${ownerRole}', t.oid::regtype) FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND typtype IN ('e', 'd') AND typowner <> owner
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')
  LOOP
    EXECUTE statement;
  END LOOP;`;

const database = `
  IF NOT EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = owner) THEN
    EXECUTE format('ALTER DATABASE %I OWNER TO ${ownerRole}', current_database());
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO ${applicationRole}', current_database());
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  END IF;`;

/**
 * Ensures the two roles of an embedded server: one owns the database and everything in it, the other is the program's. Transfers what an earlier version
 * left to the superuser, all in one transaction. `applyGrants` decides what each role may do.
 *
 * @param superuserUrl the URL from `startEmbedded` or `findEmbedded`
 */
export async function separateRoles(superuserUrl: string): Promise<DatabaseUrls & { readonly ownerUrl: string }> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 5_000 });
  // A broken connection fails the current statement.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    // A failed statement must not write a password to the server's log.
    await client.query(`SET LOCAL log_min_error_statement = 'panic'; SELECT pg_advisory_xact_lock(${rolesLock})`);
    await client.query(
      `DO $do$ DECLARE statement text; owner oid; BEGIN
       ${roles((role) => passwordOf(superuserUrl, role)).join('')}
       owner := '${ownerRole}'::regrole;
       ${ownership}
       ${database}
       END $do$`,
    );
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
  return { url: urlOf(superuserUrl, applicationRole), ownerUrl: urlOf(superuserUrl, ownerRole) };
}

/** Returns the URL for a role, for any database of the server. */
function urlOf(superuserUrl: string, role: string): string {
  const url = new URL(superuserUrl);
  url.username = role;
  url.password = passwordOf(superuserUrl, role);
  return url.href;
}

/**
 * Derives the 256-bit password of a role from the superuser's, which is random and stored in a file that only its owner may read, so that only one
 * secret has to be kept. The superuser's password cannot be computed from it.
 */
function passwordOf(superuserUrl: string, role: string): string {
  return createHmac('sha256', decodeURIComponent(new URL(superuserUrl).password))
    .update(role)
    .digest('base64url');
}
