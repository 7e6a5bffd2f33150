import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { readEntries } from '../../../shared/audit/read-entries.js';
import { requireBounds } from '../../../shared/bounds.js';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { AuditLogArgs, AuditLogConnection, toAuditEntry, type AuditLogFilter } from './audit-log.type.js';

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
  ): Promise<Shape<AuditLogConnection>> {
    requireBounds({ name: 'first', value: first, min: 1, max: mostEntries });
    const wanted = given(filter ?? {});
    const scope = JSON.stringify(wanted);
    const [exactAt = '', id = ''] = after == null ? [] : this.codec.open(scope, after);
    const rows = await readEntries(context.manager, wanted, {
      order: 'newest',
      limit: first + 1,
      after: after == null ? undefined : { exactAt, id },
    });
    const shown = rows.slice(0, first);
    const cursors = shown.map((row) => this.codec.seal(scope, [row.exactAt, row.id]));
    return toConnection(shown.map(toAuditEntry), cursors, rows.length > first);
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
