import { registered, type Privilege } from '../registry.js';
import type { Manager } from './manager.js';

const ofTables: readonly Privilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const ofSequences: readonly Privilege[] = ['SELECT', 'USAGE'];

/** Selects the privileges that a role has directly. By SECURITY DEFINER functions the program changes tables that it may only read. */
const held = `
  WITH role AS (SELECT oid FROM pg_roles WHERE rolname = $2)
  SELECT 'SCHEMA' AS kind, quote_ident(n.nspname) AS name, '' AS root, ARRAY(
      SELECT privilege_type FROM aclexplode(n.nspacl) acl, role WHERE acl.grantee = role.oid ORDER BY 1) AS privileges
    FROM pg_namespace n WHERE n.nspname = ANY ($1)
  UNION ALL
  SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, format('%I.%I', n.nspname, c.relname),
      rn.nspname || '.' || r.relname, ARRAY(
      SELECT privilege_type FROM aclexplode(c.relacl) acl, role WHERE acl.grantee = role.oid ORDER BY 1)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class r ON r.oid = coalesce(pg_partition_root(c.oid), c.oid) JOIN pg_namespace rn ON rn.oid = r.relnamespace
    WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
  UNION ALL
  SELECT 'FUNCTION', format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), '', ARRAY(
      SELECT privilege_type FROM aclexplode(p.proacl) acl, role WHERE acl.grantee = role.oid ORDER BY 1)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ANY ($1) AND p.prosecdef`;

interface Held {
  readonly kind: 'SCHEMA' | 'TABLE' | 'SEQUENCE' | 'FUNCTION';
  readonly name: string;
  /** The table of a partition, or the table itself, as `schema.table`; empty for a schema or function. */
  readonly root: string;
  readonly privileges: readonly string[];
}

function wanted({ kind, root }: Held): readonly Privilege[] {
  if (kind === 'SCHEMA') return ['USAGE'];
  if (kind === 'FUNCTION') return ['EXECUTE'];
  if (kind === 'SEQUENCE') return ofSequences;
  // Written by triggers of their tables, as the owner.
  if (root.endsWith('_versions')) return ['SELECT'];
  return registered.privileges.get(root) ?? ofTables;
}

/** Grants the role what it needs in the schemas and revokes the rest. Run by the owner in the transaction of the migrations. */
export async function applyGrants(manager: Manager, schemas: readonly string[], role: string): Promise<void> {
  const self = await manager.row<{ user: string; quoted: string; mayCreate: boolean }>(
    `SELECT current_user AS user, quote_ident($1) AS quoted,
       coalesce(has_schema_privilege($1::name, to_regnamespace('public'), 'CREATE'), false) AS "mayCreate"`,
    [role],
  );
  // When owner and program are one role, it owns the tables and needs no grants.
  if (self === undefined || self.user === role) return;
  const objects = await manager.rows<Held>(held, [schemas, role]);
  const statements = objects
    .filter((object) => object.privileges.join() !== [...wanted(object)].sort().join())
    .map((object) => {
      const on = `ON ${object.kind} ${object.name}`;
      return `REVOKE ALL ${on} FROM ${self.quoted}; GRANT ${wanted(object).join(', ')} ${on} TO ${self.quoted}`;
    });
  if (self.mayCreate) statements.push('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  if (statements.length > 0) await manager.execute(statements.join(';\n'));
}

const excess = `
  SELECT r.rolsuper AS superuser,
    r.rolcreaterole OR r.rolcreatedb OR r.rolreplication AS administrator,
    EXISTS (SELECT FROM pg_roles g
            WHERE g.rolname LIKE 'pg\\_%' AND g.rolname <> 'pg_database_owner' AND pg_has_role(r.oid, g.oid, 'USAGE')) AS predefined,
    has_database_privilege(r.oid, current_database(), 'CREATE')
      OR EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = ANY ($1)
                 AND (pg_has_role(r.oid, n.nspowner, 'USAGE') OR has_schema_privilege(r.oid, n.oid, 'CREATE')))
      OR EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE n.nspname = ANY ($1) AND pg_has_role(r.oid, c.relowner, 'USAGE')) AS owner
  FROM pg_roles r WHERE r.rolname = current_user`;

/** Lists, in words, what the role of a connection can do beyond reading and writing the rows of the schemas; an empty list is the desired state. */
export async function excessOfRole(manager: Manager, schemas: readonly string[]): Promise<string[]> {
  const row = await manager.row<Record<'superuser' | 'administrator' | 'predefined' | 'owner', boolean>>(excess, [
    schemas,
  ]);
  if (row === undefined) return [];
  return [
    ...(row.superuser ? ['it is a superuser'] : []),
    ...(row.administrator ? ['it may create roles or databases, or replicate'] : []),
    ...(row.predefined ? ['it is a member of a predefined role (pg_…)'] : []),
    ...(row.owner ? ['it may create or owns schemas or tables'] : []),
  ];
}
