import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { readEntries } from '../../../shared/audit/read-entries.js';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { openPage } from '../../../shared/list-page.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import {
  AuditLogArgs,
  AuditLogConnection,
  toAuditEntry,
  type AuditEntry,
  type AuditLogFilter,
} from './audit-log.type.js';

const mostEntries = 200;

@Resolver()
export class AuditLogResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('operator', 'administer')
  @Query(() => AuditLogConnection, {
    description:
      'The audit log in pages, newest entries first: operations of operators, logins, rejected requests, changes of credentials. Errors: 400 for arguments that are out of bounds and for a cursor of another list or filter.',
  })
  async auditLog(
    @Ctx() context: Context,
    @Args(() => AuditLogArgs) { filter, first, after }: AuditLogArgs,
  ): Promise<Connection<Shape<AuditEntry>>> {
    const wanted = given(filter ?? {});
    const list = { scope: JSON.stringify(wanted), most: mostEntries };
    const page = openPage(this.codec, { limit: first, cursor: after }, list);
    const [exactAt = '', id = ''] = page.position;
    const found = await readEntries(context.manager, wanted, {
      order: 'newest',
      limit: page.limit + 1,
      after: after == null ? undefined : { exactAt, id },
    });
    const { rows, cursors, hasNext } = page.take(found, (row) => [row.exactAt, row.id]);
    return toConnection(rows.map(toAuditEntry), cursors, hasNext);
  }
}

/** Returns the given fields of the filter in a fixed order: cursors are bound to it. */
function given({ actor, action, subject, outcome, from, to }: AuditLogFilter) {
  return {
    actor: actor ?? undefined,
    action: action ?? undefined,
    subject: subject ?? undefined,
    outcome: outcome ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
  };
}
