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

const database = `
  IF NOT EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = owner) THEN
    EXECUTE format('ALTER DATABASE %I OWNER TO ${ownerRole}', current_database());
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO ${applicationRole}', current_database());
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  END IF;`;

/** Ensures the owner's role, which migrates, and the program's, which `applyGrants` bounds. @param superuserUrl from `startEmbedded` or `findEmbedded` */
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
      `DO $do$ DECLARE owner oid; BEGIN
       ${roles((role) => passwordOf(superuserUrl, role)).join('')}
       owner := '${ownerRole}'::regrole;
       ${database}
       END $do$`,
    );
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
  return { url: urlOf(superuserUrl, applicationRole), ownerUrl: urlOf(superuserUrl, ownerRole) };
}

function urlOf(superuserUrl: string, role: string): string {
  const url = new URL(superuserUrl);
  url.username = role;
  url.password = passwordOf(superuserUrl, role);
  return url.href;
}

/** Derives a role's 256-bit password from the superuser's, so that only one secret is kept; it does not lead back. */
function passwordOf(superuserUrl: string, role: string): string {
  return createHmac('sha256', decodeURIComponent(new URL(superuserUrl).password))
    .update(role)
    .digest('base64url');
}
